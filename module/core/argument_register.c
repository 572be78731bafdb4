// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sample in the slow path of a lock has the lock's address in a register. Which one is the
 * compiler's choice. The text itself tells: the first argument comes in rdi (System V ABI), and
 * is followed through copies from there until a register is written by anything else. Over a
 * call it may be kept on the stack. A register counts where it holds the argument on each way to
 * an instruction, and where the function uses it somewhere as the address of memory while it
 * holds it.
 *
 * Opcodes are those of the Intel SDM, volume 2, appendix A. A function that has one that is
 * not in here is not read at all.
 */
#include <linux/string.h>

#include "core/argument_register.h"

#define REG(n)		(1U << (n))
#define ARGUMENT	REG(TIO_X86_DI)
/* rax, rcx, rdx, rsi, rdi, r8 to r11 */
#define CALLER_SAVED	(0x0f00U | REG(TIO_X86_AX) | REG(TIO_X86_CX) | REG(TIO_X86_DX) | \
			 REG(TIO_X86_SI) | REG(TIO_X86_DI))

/* where an instruction goes on */
enum flow {
	FLOW_NEXT,
	FLOW_JUMP,
	FLOW_BRANCH,		/* to its target, or the next one */
	FLOW_STOP,		/* it returns, or leaves the function */
};

struct insn {
	unsigned int len;	/* in bytes */
	enum flow flow;
	s32 offset;		/* of a jump, from the next instruction */
	u32 writes;		/* registers, a bit each */
	u8 to, from;		/* a copy of all 64 bits; TIO_ARGUMENT_NONE: it is none */
	u8 base;		/* register that memory is addressed by; TIO_ARGUMENT_NONE: none */
	u8 slot;		/* word of the stack that is addressed; TIO_ARGUMENT_NONE: none */
	bool in_next;		/* the word above as well, perhaps */
	bool anywhere;		/* any word of the stack, perhaps */
	bool by_frame;		/* ... if rbp points to the frame */
	bool loads;		/* @to from @slot */
	bool stores;		/* @from to @slot */
	bool reads;		/* it does not write memory */
	bool moves_stack;	/* rsp is another one behind it */
};

/*
 * Words of the stack that are looked at, those of a small frame: from rsp upward, and below rbp
 * while that is the frame's pointer. The highest bit says that it is.
 */
#define SLOTS		32
#define FRAME_SLOTS	31
#define WORD(n)		(1ULL << (n))
#define IS_FRAME	WORD(63)
#define OF_STACK	(WORD(SLOTS) - 1)
#define OF_FRAME	(~(OF_STACK | IS_FRAME))

/* what is read of an instruction */
struct reader {
	const u8 *text;
	unsigned int at, len;
	bool bad;		/* the text has ended, or has what is not known */
	u8 rex;
	bool segment;		/* fs or gs */
	bool narrow;		/* 16-bit operands */
	bool rep;
	u8 mod, reg, rm;
};

#define REX_W	8
#define REX_R	4
#define REX_X	2
#define REX_B	1

static u8 next_byte(struct reader *r)
{
	if (r->at >= r->len) {
		r->bad = true;
		return 0;
	}
	return r->text[r->at++];
}

static void skip(struct reader *r, unsigned int bytes)
{
	if (r->len - r->at < bytes)
		r->bad = true;
	else
		r->at += bytes;
}

static s32 next_offset(struct reader *r, unsigned int bytes)
{
	u32 value = 0;
	unsigned int i;

	for (i = 0; i < bytes; i++)
		value |= (u32)next_byte(r) << (8 * i);
	return bytes == 1 ? (s32)(s8)value : (s32)value;
}

/* by rsp upward, or by rbp downward */
static void find_slot(struct insn *insn, s32 offset)
{
	u32 below = -(u32)offset;

	if (insn->base == TIO_X86_SP && offset >= 0 && offset < 8 * SLOTS)
		insn->slot = offset / 8;
	else if (insn->base == TIO_X86_BP && offset < 0 && below <= 8 * FRAME_SLOTS)
		insn->slot = SLOTS + (below - 1) / 8;
	insn->in_next = insn->slot != TIO_ARGUMENT_NONE && offset & 7;
	if (insn->slot != TIO_ARGUMENT_NONE || offset >= 0)
		return;
	insn->anywhere |= insn->base == TIO_X86_SP;
	insn->by_frame |= insn->base == TIO_X86_BP;
}

/* the ModRM byte and what belongs to it */
static void operands(struct reader *r, struct insn *insn)
{
	u8 modrm = next_byte(r), sib;
	unsigned int disp;

	r->mod = modrm >> 6;
	r->reg = (modrm >> 3 & 7) | (r->rex & REX_R ? 8 : 0);
	r->rm = modrm & 7;
	if (r->mod == 3) {
		r->rm |= r->rex & REX_B ? 8 : 0;
		return;
	}
	disp = r->mod == 1 ? 1 : r->mod == 2 ? 4 : 0;
	if (r->rm == 4) {
		sib = next_byte(r);
		if ((sib & 7) == 5 && !r->mod)
			disp = 4;
		else if ((sib >> 3 & 7) == 4 && !(r->rex & REX_X) && !r->segment)
			insn->base = (sib & 7) | (r->rex & REX_B ? 8 : 0);
		if (insn->base == TIO_ARGUMENT_NONE && !(r->rex & REX_B)) {
			insn->anywhere = (sib & 7) == TIO_X86_SP;
			insn->by_frame = (sib & 7) == TIO_X86_BP && r->mod;
		}
	} else if (r->rm == 5 && !r->mod) {
		disp = 4;
	} else if (!r->segment) {
		insn->base = r->rm | (r->rex & REX_B ? 8 : 0);
	}
	find_slot(insn, disp ? next_offset(r, disp) : 0);
}

/* the operand that may be memory is written */
static void write_rm(const struct reader *r, struct insn *insn)
{
	if (r->mod == 3)
		insn->writes |= REG(r->rm);
}

/* a byte's register: without REX 4 to 7 are ah, ch, dh and bh */
static void write_byte(const struct reader *r, struct insn *insn, u8 reg)
{
	insn->writes |= REG(reg);
	if (!r->rex && reg >= 4)
		insn->writes |= REG(reg - 4);
}

static void write_rm_byte(const struct reader *r, struct insn *insn)
{
	if (r->mod == 3)
		write_byte(r, insn, r->rm);
}

/* bytes of an immediate as wide as the operands, 32 bits at most */
static unsigned int immediate(const struct reader *r)
{
	return r->narrow ? 2 : 4;
}

static void copy(const struct reader *r, struct insn *insn, u8 to, u8 from)
{
	if (r->mod != 3 || !(r->rex & REX_W))
		return;
	insn->to = to;
	insn->from = from;
}

/* a register is kept on the stack, or comes back from there */
static void keep(const struct reader *r, struct insn *insn, bool loads)
{
	if (r->mod == 3 || !(r->rex & REX_W) || insn->slot == TIO_ARGUMENT_NONE ||
	    insn->in_next)
		return;
	insn->loads = loads;
	insn->stores = !loads;
	if (loads)
		insn->to = r->reg;
	else
		insn->from = r->reg;
}

/* add, or, adc, sbb, and, sub, xor, cmp: 0x00 to 0x3d */
static void arithmetic(struct reader *r, struct insn *insn, u8 op)
{
	bool writes = op >> 3 != 7;

	switch (op & 7) {
	case 0:
	case 1:
		operands(r, insn);
		if (writes && op & 1)
			write_rm(r, insn);
		else if (writes)
			write_rm_byte(r, insn);
		break;
	case 2:
	case 3:
		operands(r, insn);
		if (writes && op & 1)
			insn->writes |= REG(r->reg);
		else if (writes)
			write_byte(r, insn, r->reg);
		break;
	case 4:
	case 5:
		skip(r, op & 1 ? immediate(r) : 1);
		if (writes)
			insn->writes |= REG(TIO_X86_AX);
		break;
	default:
		r->bad = true;
	}
}

static void jump(struct reader *r, struct insn *insn, enum flow flow, unsigned int bytes)
{
	insn->flow = flow;
	insn->offset = next_offset(r, bytes);
}

/* opcodes behind 0x0f */
static void two_bytes(struct reader *r, struct insn *insn)
{
	u8 op = next_byte(r);

	switch (op) {
	case 0x00:		/* verr, verw; the rest writes more */
		operands(r, insn);
		r->bad |= (r->reg & 7) != 4 && (r->reg & 7) != 5;
		break;
	case 0x01:		/* stac, clac */
		op = next_byte(r);
		r->bad |= op != 0xca && op != 0xcb;
		break;
	case 0x0b:		/* ud2: WARN() goes on behind it */
	case 0x30:		/* wrmsr */
		break;
	case 0x0d:		/* prefetchw */
	case 0x18:		/* prefetch */
	case 0x1e:		/* endbr64 */
	case 0x1f:		/* nop */
		operands(r, insn);
		insn->base = TIO_ARGUMENT_NONE;
		break;
	case 0x31:		/* rdtsc */
	case 0x32:		/* rdmsr */
		insn->writes |= REG(TIO_X86_AX) | REG(TIO_X86_DX);
		break;
	case 0x40 ... 0x4f:	/* cmov */
	case 0xaf:		/* imul */
	case 0xb6:		/* movzx, movsx, bsf, bsr, popcnt */
	case 0xb7:
	case 0xb8:
	case 0xbc ... 0xbf:
		operands(r, insn);
		insn->writes |= REG(r->reg);
		break;
	case 0x80 ... 0x8f:
		jump(r, insn, FLOW_BRANCH, 4);
		break;
	case 0x90 ... 0x9f:	/* setcc */
		operands(r, insn);
		write_rm_byte(r, insn);
		break;
	case 0xa3:		/* bt */
		operands(r, insn);
		break;
	case 0xa5:		/* shld, shrd, bts, btr, btc */
	case 0xad:
	case 0xab:
	case 0xb3:
	case 0xbb:
		operands(r, insn);
		write_rm(r, insn);
		break;
	case 0xa4:
	case 0xac:
	case 0xba:		/* bt and others, by an immediate */
		operands(r, insn);
		skip(r, 1);
		write_rm(r, insn);
		break;
	case 0xae:		/* lfence, mfence, sfence; the rest reads or writes more */
		operands(r, insn);
		r->bad |= r->mod != 3 || r->rep || (r->reg & 7) < 5;
		break;
	case 0xb0:		/* cmpxchg */
	case 0xb1:
		operands(r, insn);
		insn->writes |= REG(TIO_X86_AX);
		if (op & 1)
			write_rm(r, insn);
		else
			write_rm_byte(r, insn);
		break;
	case 0xc0:		/* xadd */
	case 0xc1:
		operands(r, insn);
		write_byte(r, insn, r->reg);
		write_rm_byte(r, insn);
		break;
	case 0xc8 ... 0xcf:	/* bswap */
		insn->writes |= REG((op & 7) | (r->rex & REX_B ? 8 : 0));
		break;
	default:
		r->bad = true;
	}
}

/* mul, div and others of 0xf6 and 0xf7, told apart by the field reg */
static void unary(struct reader *r, struct insn *insn, bool byte)
{
	operands(r, insn);
	switch (r->reg & 7) {
	case 0:
	case 1:			/* test */
		skip(r, byte ? 1 : immediate(r));
		break;
	case 2:
	case 3:			/* not, neg */
		write_byte(r, insn, 0);
		if (byte)
			write_rm_byte(r, insn);
		else
			write_rm(r, insn);
		break;
	default:
		insn->writes |= REG(TIO_X86_AX) | REG(TIO_X86_DX);
	}
}

/* inc, dec, call, jmp and push of 0xff */
static void indirect(struct reader *r, struct insn *insn)
{
	operands(r, insn);
	switch (r->reg & 7) {
	case 0:
	case 1:
		write_rm(r, insn);
		break;
	case 2:
		insn->writes |= CALLER_SAVED;
		break;
	case 4:			/* to a table's entry, or out of the function */
		insn->flow = FLOW_STOP;
		break;
	case 6:
		insn->moves_stack = true;
		break;
	default:
		r->bad = true;
	}
}

static void one_byte(struct reader *r, struct insn *insn, u8 op)
{
	u8 low = (op & 7) | (r->rex & REX_B ? 8 : 0);

	switch (op) {
	case 0x00 ... 0x05:
	case 0x08 ... 0x0d:
	case 0x10 ... 0x15:
	case 0x18 ... 0x1d:
	case 0x20 ... 0x25:
	case 0x28 ... 0x2d:
	case 0x30 ... 0x35:
	case 0x38 ... 0x3d:
		arithmetic(r, insn, op);
		break;
	case 0x0f:
		two_bytes(r, insn);
		break;
	case 0x50 ... 0x57:	/* push, pushf, popf */
	case 0x9c:
	case 0x9d:
		insn->moves_stack = true;
		break;
	case 0xf4:		/* hlt, cli, sti, cld */
	case 0xfa:
	case 0xfb:
	case 0xfc:
		break;
	case 0x58 ... 0x5f:	/* pop */
		insn->moves_stack = true;
		insn->writes |= REG(low);
		break;
	case 0x63:		/* movsxd */
		operands(r, insn);
		insn->writes |= REG(r->reg);
		break;
	case 0x68:		/* push */
		insn->moves_stack = true;
		skip(r, immediate(r));
		break;
	case 0x6a:
		insn->moves_stack = true;
		skip(r, 1);
		break;
	case 0x69:		/* imul */
	case 0x6b:
		operands(r, insn);
		skip(r, op == 0x69 ? immediate(r) : 1);
		insn->writes |= REG(r->reg);
		break;
	case 0x70 ... 0x7f:
		jump(r, insn, FLOW_BRANCH, 1);
		break;
	case 0x80:		/* arithmetic with an immediate; reg 7 is cmp */
	case 0x81:
	case 0x83:
		operands(r, insn);
		skip(r, op == 0x81 ? immediate(r) : 1);
		if ((r->reg & 7) == 7)
			break;
		if (op & 1)
			write_rm(r, insn);
		else
			write_rm_byte(r, insn);
		break;
	case 0x84:		/* test */
	case 0x85:
		operands(r, insn);
		insn->reads = true;
		break;
	case 0x86:		/* xchg */
	case 0x87:
		operands(r, insn);
		write_byte(r, insn, r->reg);
		write_rm_byte(r, insn);
		break;
	case 0x88:		/* mov */
		operands(r, insn);
		write_rm_byte(r, insn);
		break;
	case 0x89:
		operands(r, insn);
		write_rm(r, insn);
		copy(r, insn, r->rm, r->reg);
		keep(r, insn, false);
		break;
	case 0x8a:
		operands(r, insn);
		insn->reads = true;
		write_byte(r, insn, r->reg);
		break;
	case 0x8b:
		operands(r, insn);
		insn->writes |= REG(r->reg);
		insn->reads = true;
		copy(r, insn, r->reg, r->rm);
		keep(r, insn, true);
		break;
	case 0x8d:		/* lea reads no memory */
		operands(r, insn);
		insn->base = TIO_ARGUMENT_NONE;
		insn->writes |= REG(r->reg);
		break;
	case 0x90 ... 0x97:	/* nop, pause; xchg with rax */
		if (low)
			insn->writes |= REG(TIO_X86_AX) | REG(low);
		break;
	case 0x98:		/* cdqe */
		insn->writes |= REG(TIO_X86_AX);
		break;
	case 0x99:		/* cqo */
		insn->writes |= REG(TIO_X86_DX);
		break;
	case 0xa8:		/* test */
		skip(r, 1);
		break;
	case 0xa9:
		skip(r, immediate(r));
		break;
	case 0xb0 ... 0xb7:	/* mov of an immediate */
		skip(r, 1);
		write_byte(r, insn, low);
		break;
	case 0xb8 ... 0xbf:
		skip(r, r->rex & REX_W ? 8 : immediate(r));
		insn->writes |= REG(low);
		break;
	case 0xc0:		/* shifts */
	case 0xc1:
		operands(r, insn);
		skip(r, 1);
		write_rm_byte(r, insn);
		break;
	case 0xd0 ... 0xd3:
		operands(r, insn);
		write_rm_byte(r, insn);
		break;
	case 0xc2:		/* ret, int3 */
	case 0xc3:
	case 0xcc:
		insn->flow = FLOW_STOP;
		break;
	case 0xc6:		/* mov of an immediate */
	case 0xc7:
		operands(r, insn);
		skip(r, op == 0xc6 ? 1 : immediate(r));
		write_rm_byte(r, insn);
		break;
	case 0xc9:		/* leave */
		insn->moves_stack = true;
		insn->writes |= REG(TIO_X86_BP);
		break;
	case 0xe8:
		skip(r, 4);
		insn->writes |= CALLER_SAVED;
		break;
	case 0xe9:
		jump(r, insn, FLOW_JUMP, 4);
		break;
	case 0xeb:
		jump(r, insn, FLOW_JUMP, 1);
		break;
	case 0xf6:
	case 0xf7:
		unary(r, insn, op == 0xf6);
		break;
	case 0xfe:		/* inc, dec */
		operands(r, insn);
		write_rm_byte(r, insn);
		break;
	case 0xff:
		indirect(r, insn);
		break;
	default:
		r->bad = true;
	}
}

/* legacy prefixes: true where @byte is one */
static bool is_prefix(struct reader *r, u8 byte)
{
	switch (byte) {
	case 0x64:		/* fs, gs */
	case 0x65:
		r->segment = true;
		return true;
	case 0x66:
		r->narrow = true;
		return true;
	case 0xf2:
	case 0xf3:
		r->rep = true;
		return true;
	case 0x26:		/* segments that mean nothing, and lock */
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0xf0:
		return true;
	}
	return false;
}

/* reads the instruction at @at; false where it is not known */
static bool read_insn(const u8 *text, unsigned int len, unsigned int at, struct insn *insn)
{
	struct reader r = { .text = text, .at = at, .len = len };
	u8 op = next_byte(&r);

	memset(insn, 0, sizeof(*insn));
	insn->to = TIO_ARGUMENT_NONE;
	insn->from = TIO_ARGUMENT_NONE;
	insn->base = TIO_ARGUMENT_NONE;
	insn->slot = TIO_ARGUMENT_NONE;
	while (!r.bad && is_prefix(&r, op))
		op = next_byte(&r);
	if ((op & 0xf0) == 0x40) {
		r.rex = op;
		op = next_byte(&r);
	}
	one_byte(&r, insn, op);
	insn->len = r.at - at;
	return !r.bad;
}

/* what is known of an offset */
#define STATE_REACHED	1	/* an instruction begins there, and some way leads to it */
#define STATE_QUEUED	2	/* it has to be looked at again */

/* registers and words of the stack that hold what is followed */
struct held {
	u16 regs;
	u64 slots;
};

/* a way leads to @at on which @held hold it */
static void reach(struct tio_argument_work *work, unsigned int at, struct held held)
{
	if (work->state[at] & STATE_REACHED) {
		held.regs &= work->holds[at];
		held.slots &= work->slots[at];
		if (held.regs == work->holds[at] && held.slots == work->slots[at])
			return;
	}
	work->holds[at] = held.regs;
	work->slots[at] = held.slots;
	work->state[at] |= STATE_REACHED;
	if (work->state[at] & STATE_QUEUED)
		return;
	work->state[at] |= STATE_QUEUED;
	work->todo[work->ntodo++] = at;
}

/* a jump out of the function ends it, as a return does */
static void reach_offset(struct tio_argument_work *work, unsigned int len, s64 at,
			 struct held held)
{
	if (at >= 0 && at < len)
		reach(work, at, held);
}

/* the words that are addressed; none by rbp where that is no pointer to the frame */
static u64 words_of(const struct insn *insn, struct held held)
{
	u64 word;

	if (insn->slot == TIO_ARGUMENT_NONE ||
	    (insn->slot >= SLOTS && !(held.slots & IS_FRAME)))
		return 0;
	word = WORD(insn->slot);
	if (!insn->in_next)
		return word;
	/* the word above has a higher number from rsp, a lower one from rbp */
	return insn->slot < SLOTS ? (word | word << 1) & OF_STACK : word | (word >> 1 & OF_FRAME);
}

/* rbp is a pointer to the frame from a copy of rsp on, until it is written */
static u64 framed(const struct insn *insn, u64 slots)
{
	if (insn->to == TIO_X86_BP && insn->from == TIO_X86_SP && !insn->stores)
		return (slots & OF_STACK) | IS_FRAME;
	return insn->writes & REG(TIO_X86_BP) ? slots & OF_STACK : slots;
}

/* what holds it behind an instruction that is followed through copies */
static struct held copied(const struct insn *insn, struct held held)
{
	bool from_reg = insn->from != TIO_ARGUMENT_NONE && held.regs & REG(insn->from);
	u64 words = words_of(insn, held);
	bool from_slot = insn->loads && held.slots & words;
	bool anywhere = insn->anywhere || (insn->by_frame && held.slots & IS_FRAME);

	held.regs &= ~insn->writes;
	if (!insn->stores && (from_reg || from_slot))
		held.regs |= REG(insn->to);
	/* the same word may have a number from rsp, and one from rbp */
	if (words && !insn->reads)
		held.slots &= ~words & (words & OF_STACK ? OF_STACK | IS_FRAME : ~OF_STACK);
	if (insn->stores && from_reg)
		held.slots |= words;
	if ((anywhere && !insn->reads) || insn->moves_stack ||
	    insn->writes & REG(TIO_X86_SP))
		held.slots &= IS_FRAME;
	held.slots = framed(insn, held.slots);
	return held;
}

/* follows all ways from the beginning, where @regs have what is followed */
static bool walk(const u8 *text, unsigned int len, struct tio_argument_work *work, u16 regs,
		 bool copies)
{
	struct held held = { .regs = regs };
	struct insn insn;
	unsigned int at;

	if (!len || len > TIO_ARGUMENT_TEXT)
		return false;
	memset(work->state, 0, len);
	work->ntodo = 0;
	reach(work, 0, held);
	while (work->ntodo) {
		at = work->todo[--work->ntodo];
		work->state[at] &= ~STATE_QUEUED;
		if (!read_insn(text, len, at, &insn))
			return false;
		held = (struct held){ work->holds[at], work->slots[at] };
		if (copies)
			held = copied(&insn, held);
		else
			held.regs &= ~insn.writes;
		if (insn.flow == FLOW_JUMP || insn.flow == FLOW_BRANCH)
			reach_offset(work, len, (s64)at + insn.len + insn.offset, held);
		if (insn.flow == FLOW_NEXT || insn.flow == FLOW_BRANCH)
			reach_offset(work, len, at + insn.len, held);
	}
	return true;
}

/**
 * tio_argument_find() - which register holds a function's first argument
 * @text: the function's code, from its first byte on
 * @len: bytes of it, at most TIO_ARGUMENT_TEXT
 * @work: memory to work in
 * @regs: for each byte: at an instruction that begins there the register, TIO_ARGUMENT_NONE
 *	where none is known
 *
 * A part that only a patched jump leads to (a static key that is off) is not read.
 *
 * Context: any; takes some microseconds.
 * Return: false where the function has an instruction that is not known, or is too long.
 * @regs is undefined then.
 */
bool tio_argument_find(const u8 *text, unsigned int len, struct tio_argument_work *work,
		       u8 *regs)
{
	u16 used = 0, known;
	struct insn insn;
	unsigned int at;

	if (!walk(text, len, work, ARGUMENT, true))
		return false;
	for (at = 0; at < len; at++)
		if (work->state[at] && read_insn(text, len, at, &insn) &&
		    insn.base != TIO_ARGUMENT_NONE)
			used |= work->holds[at] & REG(insn.base);
	for (at = 0; at < len; at++) {
		known = work->state[at] ? work->holds[at] & used : 0;
		regs[at] = known ? __builtin_ctz(known) : TIO_ARGUMENT_NONE;
	}
	return true;
}

/**
 * tio_argument_unwritten() - which registers a function has not written yet
 * @text: the function's code, from its first byte on
 * @len: bytes of it, at most TIO_ARGUMENT_TEXT
 * @work: memory to work in
 * @regs: for each byte: at an instruction that begins there a bit for each register that has
 *	what the caller left in it
 *
 * One that is written and restored counts as written.
 *
 * Context: any.
 * Return: as tio_argument_find().
 */
bool tio_argument_unwritten(const u8 *text, unsigned int len, struct tio_argument_work *work,
			    u16 *regs)
{
	unsigned int at;

	if (!walk(text, len, work, U16_MAX, false))
		return false;
	for (at = 0; at < len; at++)
		regs[at] = work->state[at] ? work->holds[at] : 0;
	return true;
}
