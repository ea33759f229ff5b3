#include "delay.h"

#include <simavr/sim_cycle_timers.h>

enum {
    DEC = 0x940A, /* dec rN, N in bits 4..8 */
    DEC_MASK = 0xFE0F,
    BRNE_BACK = 0xF7F1, /* brne to the instruction before */
    LOOP_CYCLES = 3,
    REGISTER_BITS = 0x1F0,
    LDS = 0x9000,       /* lds rN, and the address in the next word */
    SBRC_ADSC = 0xFC06, /* sbrc rN, 6 */
    RJMP_BACK = 0xCFFC, /* rjmp to the lds */
    POLL_CYCLES = 5,
    ADCSRA = 0x7A,
    ADSC = 1 << 6,
};

static unsigned opcode_at(const avr_t *avr, uint32_t place) {
    return avr->flash[place] | (unsigned)avr->flash[place + 1] << 8;
}

/* How many whole rounds of so many cycles pass before anything else can happen. */
static uint64_t free_rounds(const avr_t *avr, unsigned cycles) {
    const avr_cycle_timer_slot_t *timer = avr->cycle_timers.timer;
    return (timer->when - avr->cycle - 1U) / cycles;
}

static bool skip_count(avr_t *avr, unsigned opcode) {
    if ((opcode & DEC_MASK) != DEC || opcode_at(avr, avr->pc + 2U) != BRNE_BACK) {
        return false;
    }
    uint8_t *counter = &avr->data[opcode >> 4 & 0x1FU];
    uint64_t most = free_rounds(avr, LOOP_CYCLES);
    uint8_t rounds = (uint8_t)(*counter - 1U);
    if (rounds > most) {
        rounds = (uint8_t)most;
    }
    *counter = (uint8_t)(*counter - rounds);
    avr->cycle += (uint64_t)rounds * LOOP_CYCLES;
    return true;
}

static bool skip_conversion(avr_t *avr, unsigned opcode) {
    unsigned reg = opcode & REGISTER_BITS;
    if (opcode != (LDS | reg) || opcode_at(avr, avr->pc + 2U) != ADCSRA ||
        opcode_at(avr, avr->pc + 4U) != (SBRC_ADSC | reg) ||
        opcode_at(avr, avr->pc + 6U) != RJMP_BACK || !(avr->data[ADCSRA] & ADSC)) {
        return false;
    }
    avr->cycle += free_rounds(avr, POLL_CYCLES) * POLL_CYCLES;
    return true;
}

bool delay_skip(avr_t *avr) {
    const avr_cycle_timer_slot_t *timer = avr->cycle_timers.timer;
    if (!timer || timer->when <= avr->cycle || avr->interrupt_state != 0 ||
        avr->state != cpu_Running) {
        return false;
    }
    unsigned opcode = opcode_at(avr, avr->pc);
    return skip_count(avr, opcode) || skip_conversion(avr, opcode);
}
