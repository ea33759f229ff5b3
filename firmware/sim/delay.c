#include "delay.h"

#include <simavr/sim_cycle_timers.h>

enum {
    DEC = 0x940A, /* dec rN, N in bits 4..8 */
    DEC_MASK = 0xFE0F,
    BRNE_BACK = 0xF7F1, /* brne to the instruction before */
    LOOP_CYCLES = 3,
};

static unsigned opcode_at(const avr_t *avr, uint32_t place) {
    return avr->flash[place] | (unsigned)avr->flash[place + 1] << 8;
}

bool delay_skip(avr_t *avr) {
    unsigned opcode = opcode_at(avr, avr->pc);
    const avr_cycle_timer_slot_t *timer = avr->cycle_timers.timer;
    if ((opcode & DEC_MASK) != DEC || opcode_at(avr, avr->pc + 2U) != BRNE_BACK || !timer ||
        timer->when <= avr->cycle || avr->interrupt_state != 0 || avr->state != cpu_Running) {
        return false;
    }
    uint8_t *counter = &avr->data[opcode >> 4 & 0x1FU];
    uint64_t free_rounds = (timer->when - avr->cycle - 1U) / LOOP_CYCLES;
    uint8_t rounds = (uint8_t)(*counter - 1U);
    if (rounds > free_rounds) {
        rounds = (uint8_t)free_rounds;
    }
    *counter = (uint8_t)(*counter - rounds);
    avr->cycle += (uint64_t)rounds * LOOP_CYCLES;
    return true;
}
