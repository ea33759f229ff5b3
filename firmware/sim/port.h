/*
 * The serial port as the computer sees it: a pseudo-terminal behind a link of a fixed name. The
 * link goes when the cable is pulled, as the device file of a USB port does, and comes back with
 * another terminal behind it.
 */
#ifndef SIM_PORT_H
#define SIM_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *link; /* NULL: there is no port */
    int master;       /* -1 while unplugged */
    bool is_open;     /* somebody has opened it */
} Port;

/* Make a terminal and point the link at it; false, with a sentence on stderr, if that fails. */
bool port_plug(Port *port);
void port_unplug(Port *port);

/* Look who is there; true if somebody has opened the port since the last look. */
bool port_opened(Port *port);

/* The bytes that have come, at most `room`; none while unplugged. */
size_t port_read(Port *port, uint8_t *bytes, size_t room);

/* Bytes that nobody takes are lost, as on a wire. */
void port_write(Port *port, const uint8_t *bytes, size_t count);

#endif
