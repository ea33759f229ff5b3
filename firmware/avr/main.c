/* The scanner on an Arduino Mega 2560: 16 MHz, host on USART0 through the board's USB. */
#include "../core/scanner.h"
#include "clock.h"
#include "pins.h"
#include "reset.h"
#include "strips.h"
#include "uart.h"
#include <avr/interrupt.h>
#include <avr/sleep.h>

_Static_assert((int)PINS_ROWS <= (int)MATRIX_ROWS_MAX, "every row has its place in the buffers");
_Static_assert((int)STRIPS_MAX <= (int)MATRIX_ROWS_MAX, "and every strip");
_Static_assert((int)PINS_COLUMNS <= (int)MATRIX_COLUMNS_MAX, "every column has its bit");

static const struct hardware mega = {
    .build = FIRMWARE_BUILD,
    .rows = PINS_ROWS,
    .columns = PINS_COLUMNS,
    .drive_row = pins_drive_row,
    .release_rows = pins_release_rows,
    .settle = pins_settle,
    .read_columns = pins_read_columns,
    .strips = STRIPS_MAX,
    .sensors = STRIP_SENSORS,
    .give_token = strips_give_token,
    .pass_token = strips_pass_token,
    .take_token = strips_take_token,
    .token_is_back = strips_token_is_back,
    .start_level = strips_start_level,
    .take_level = strips_take_level,
    .clock_ms = clock_ms,
    .receive = uart_receive,
    .overruns = uart_overruns,
    .transmit_room = uart_transmit_room,
    .transmit = uart_transmit,
};

static struct scanner scanner;

/* Sleep until the next interrupt, unless there is work. The instruction after sei is still done
 * before any interrupt, so none can slip in between the question and the sleep. */
static void rest(void) {
    cli();
    if (clock_ticked() || uart_has_received()) {
        sei();
        return;
    }
    sleep_enable();
    sei();
    sleep_cpu();
    sleep_disable();
}

int main(void) {
    enum reset_cause cause = reset_take_cause();
    pins_start();
    uart_start();
    clock_start();
    scanner_start(&scanner, &mega, cause);
    SMCR = SLEEP_MODE_IDLE;
    sei();
    reset_start_watchdog();
    for (;;) {
        if (clock_take_tick()) {
            scanner_scan(&scanner);
            reset_postpone();
        }
        scanner_serve(&scanner);
        rest();
    }
}
