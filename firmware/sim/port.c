#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE

#include "port.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static bool point_link(const char *link, const char *terminal) {
    char fresh[PATH_MAX];
    int length = snprintf(fresh, sizeof fresh, "%s.new", link);
    if (length < 0 || (size_t)length >= sizeof fresh) {
        errno = ENAMETOOLONG;
        return false;
    }
    unlink(fresh);
    return symlink(terminal, fresh) == 0 && rename(fresh, link) == 0;
}

/* Nothing is echoed or translated; that the terminal was open once makes a hang-up tell us so. */
static bool make_raw(const char *terminal) {
    int slave = open(terminal, O_RDWR | O_NOCTTY);
    struct termios settings;
    bool done = slave >= 0 && tcgetattr(slave, &settings) == 0;
    if (done) {
        cfmakeraw(&settings);
        done = tcsetattr(slave, TCSANOW, &settings) == 0;
    }
    if (slave >= 0) {
        close(slave);
    }
    return done;
}

bool port_plug(Port *port) {
    port->is_open = false;
    port->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    const char *terminal = NULL;
    if (port->master >= 0 && grantpt(port->master) == 0 && unlockpt(port->master) == 0) {
        terminal = ptsname(port->master);
    }
    if (terminal && make_raw(terminal) && point_link(port->link, terminal)) {
        return true;
    }
    fprintf(stderr, "scanner-sim: no serial port at %s: %s\n", port->link, strerror(errno));
    port_unplug(port);
    return false;
}

void port_unplug(Port *port) {
    if (port->master >= 0) {
        unlink(port->link);
        close(port->master);
    }
    port->master = -1;
    port->is_open = false;
}

bool port_opened(Port *port) {
    if (port->master < 0) {
        return false;
    }
    struct pollfd look = {.fd = port->master, .events = POLLIN};
    bool was_open = port->is_open;
    port->is_open = poll(&look, 1, 0) >= 0 && !(look.revents & POLLHUP);
    return port->is_open && !was_open;
}

size_t port_read(Port *port, uint8_t *bytes, size_t room) {
    if (port->master < 0) {
        return 0;
    }
    ssize_t count = read(port->master, bytes, room);
    return count > 0 ? (size_t)count : 0;
}

void port_write(Port *port, const uint8_t *bytes, size_t count) {
    if (port->master >= 0 && port->is_open && count > 0) {
        ssize_t written = write(port->master, bytes, count);
        (void)written;
    }
}
