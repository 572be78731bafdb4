// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which register holds a function's first argument. The code is what as(1) makes of the
 * comments beside it; that of locks' slow paths is in stock kernels (tests/guest/locks.t).
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

#include "core/argument_register.h"
#include "suite.h"

#define NONE	TIO_ARGUMENT_NONE
#define R13	13
#define R(n)	(1U << (n))

/* static: too large for a stack */
static struct tio_argument_work work;
static u8 regs[TIO_ARGUMENT_TEXT + 1];

/* an instruction's offset, and what holds the argument there */
struct expected {
	unsigned int at;
	u8 reg;
};

static void check(struct kunit *test, const u8 *text, unsigned int len,
		  const struct expected *all, unsigned int count)
{
	unsigned int i;

	memset(regs, 0, sizeof(regs));
	KUNIT_EXPECT_TRUE(test, tio_argument_find(text, len, &work, regs));
	for (i = 0; i < count; i++)
		EXPECT_INT_IN(test, regs[all[i].at], all[i].reg, all[i].at);
}

#define CHECK(test, text, ...) do {						\
	static const struct expected all[] = { __VA_ARGS__ };			\
										\
	check(test, text, sizeof(text), all, ARRAY_SIZE(all));			\
} while (0)

/* a slow path in small: a copy survives a call, a loop waits, and pop restores */
static void loop(struct kunit *test)
{
	static const u8 text[] = {
		0x53,				/* 0  push %rbx */
		0x48, 0x89, 0xfb,		/* 1  mov %rdi,%rbx */
		0xe8, 0x64, 0x00, 0x00, 0x00,	/* 4  call */
		0x8b, 0x03,			/* 9  mov (%rbx),%eax */
		0x85, 0xc0,			/* 11 test %eax,%eax */
		0x74, 0x04,			/* 13 je 19 */
		0xf3, 0x90,			/* 15 pause */
		0xeb, 0xf6,			/* 17 jmp 9 */
		0x5b,				/* 19 pop %rbx */
		0xc3,				/* 20 ret */
		0xcc,				/* 21 nothing leads there */
	};

	/* nothing uses rdi */
	CHECK(test, text, { 0, NONE }, { 1, NONE }, { 4, TIO_X86_BX }, { 9, TIO_X86_BX },
	      { 11, TIO_X86_BX }, { 13, TIO_X86_BX }, { 15, TIO_X86_BX }, { 17, TIO_X86_BX },
	      { 19, TIO_X86_BX }, { 20, NONE }, { 21, NONE }, { 10, NONE });
}

/* on one of two ways the register has something else */
static void ways_meet(struct kunit *test)
{
	static const u8 text[] = {
		0x48, 0x89, 0xfb,		/* 0  mov %rdi,%rbx */
		0x8b, 0x03,			/* 3  mov (%rbx),%eax */
		0x74, 0x03,			/* 5  je 10 */
		0x48, 0x89, 0xf3,		/* 7  mov %rsi,%rbx */
		0x8b, 0x03,			/* 10 mov (%rbx),%eax */
		0xc3,				/* 12 ret */
	};

	CHECK(test, text, { 3, TIO_X86_BX }, { 7, TIO_X86_BX }, { 10, NONE }, { 12, NONE });
}

/* a loop goes through a list: the register has the argument the first time only */
static void way_back(struct kunit *test)
{
	static const u8 text[] = {
		0x48, 0x89, 0xfb,		/* 0  mov %rdi,%rbx */
		0x8b, 0x03,			/* 3  mov (%rbx),%eax */
		0x48, 0x89, 0xc3,		/* 5  mov %rax,%rbx */
		0x85, 0xc0,			/* 8  test %eax,%eax */
		0x75, 0xf7,			/* 10 jne 3 */
		0xc3,				/* 12 ret */
	};

	CHECK(test, text, { 3, NONE }, { 5, NONE }, { 8, NONE }, { 12, NONE });
}

/* a part of the register is written, or a part is copied */
static void parts(struct kunit *test)
{
	static const u8 high[] = {
		0x48, 0x89, 0xf8,		/* 0  mov %rdi,%rax */
		0x8b, 0x08,			/* 3  mov (%rax),%ecx */
		0xb4, 0x01,			/* 5  mov $1,%ah */
		0x8b, 0x08,			/* 7  mov (%rax),%ecx */
		0xc3,
	};
	static const u8 low[] = {
		0x89, 0xfb,			/* 0  mov %edi,%ebx */
		0x8b, 0x03,			/* 2  mov (%rbx),%eax */
		0x8b, 0x07,			/* 4  mov (%rdi),%eax */
		0x31, 0xff,			/* 6  xor %edi,%edi */
		0x90,				/* 8  nop */
		0xc3,
	};

	CHECK(test, high, { 3, TIO_X86_AX }, { 5, TIO_X86_AX }, { 7, NONE });
	CHECK(test, low, { 2, TIO_X86_DI }, { 4, TIO_X86_DI }, { 6, TIO_X86_DI }, { 8, NONE });
}

/* a copy that no memory is addressed by may be one by chance, for another variable */
static void unused_copy(struct kunit *test)
{
	static const u8 text[] = {
		0x48, 0x89, 0xfb,		/* 0  mov %rdi,%rbx */
		0x65, 0x8b, 0x43, 0x08,		/* 3  mov %gs:8(%rbx),%eax */
		0x8b, 0x04, 0x03,		/* 7  mov (%rbx,%rax,1),%eax */
		0x48, 0x8d, 0x53, 0x04,		/* 10 lea 4(%rbx),%rdx */
		0x31, 0xff,			/* 14 xor %edi,%edi */
		0x90,				/* 16 nop */
		0xc3,
	};

	CHECK(test, text, { 3, NONE }, { 7, NONE }, { 10, NONE }, { 16, NONE });
}

/* instructions that write registers in passing */
static void exchanges(struct kunit *test)
{
	static const u8 text[] = {
		0xf0, 0x0f, 0xb1, 0x17,			/* 0  lock cmpxchg %edx,(%rdi) */
		0x49, 0x89, 0xfd,			/* 4  mov %rdi,%r13 */
		0x41, 0x86, 0x55, 0x01,			/* 7  xchg %dl,1(%r13) */
		0xf0, 0x41, 0x0f, 0xc1, 0x7d, 0x00,	/* 11 lock xadd %edi,(%r13) */
		0x90,					/* 17 nop */
		0x4c, 0x0f, 0x45, 0xe8,			/* 18 cmovne %rax,%r13 */
		0x90,					/* 22 nop */
		0xc3,
	};

	CHECK(test, text, { 0, TIO_X86_DI }, { 7, TIO_X86_DI }, { 17, R13 }, { 18, R13 },
	      { 22, NONE });
}

/* over a call it is kept on the stack; a word that is written holds it no more */
static void on_the_stack(struct kunit *test)
{
	static const u8 kept[] = {
		0x48, 0x83, 0xec, 0x28,			/* 0  sub $40,%rsp */
		0x48, 0x89, 0x3c, 0x24,			/* 4  mov %rdi,(%rsp) */
		0x44, 0x89, 0x44, 0x24, 0x0c,		/* 8  mov %r8d,12(%rsp) */
		0xe8, 0x00, 0x00, 0x00, 0x00,		/* 13 call */
		0x48, 0x8b, 0x0c, 0x24,			/* 18 mov (%rsp),%rcx */
		0x8b, 0x01,				/* 22 mov (%rcx),%eax */
		0x48, 0xc7, 0x04, 0x24, 0, 0, 0, 0,	/* 24 movq $0,(%rsp) */
		0x31, 0xc9,				/* 32 xor %ecx,%ecx */
		0x48, 0x8b, 0x0c, 0x24,			/* 34 mov (%rsp),%rcx */
		0x8b, 0x01,				/* 38 mov (%rcx),%eax */
		0xc3,
	};
	static const u8 overlapped[] = {
		0x48, 0x89, 0x7c, 0x24, 0x08,		/* 0  mov %rdi,8(%rsp) */
		0x48, 0x89, 0x74, 0x24, 0x04,		/* 5  mov %rsi,4(%rsp) */
		0x48, 0x8b, 0x4c, 0x24, 0x08,		/* 10 mov 8(%rsp),%rcx */
		0x8b, 0x01,				/* 15 mov (%rcx),%eax */
		0xc3,
	};
	static const u8 indexed[] = {
		0x48, 0x89, 0x7c, 0x24, 0x08,		/* 0  mov %rdi,8(%rsp) */
		0x89, 0x34, 0x84,			/* 5  mov %esi,(%rsp,%rax,4) */
		0x48, 0x8b, 0x4c, 0x24, 0x08,		/* 8  mov 8(%rsp),%rcx */
		0x8b, 0x01,				/* 13 mov (%rcx),%eax */
		0xc3,
	};
	static const u8 moved[] = {
		0x48, 0x89, 0x7c, 0x24, 0x08,		/* 0  mov %rdi,8(%rsp) */
		0x31, 0xff,				/* 5  xor %edi,%edi */
		0x48, 0x8b, 0x4c, 0x24, 0x08,		/* 7  mov 8(%rsp),%rcx */
		0x8b, 0x01,				/* 12 mov (%rcx),%eax */
		0x53,					/* 14 push %rbx */
		0x48, 0x8b, 0x4c, 0x24, 0x08,		/* 15 mov 8(%rsp),%rcx */
		0x8b, 0x01,				/* 20 mov (%rcx),%eax */
		0xc3,
	};

	CHECK(test, kept, { 13, NONE }, { 18, NONE }, { 22, TIO_X86_CX }, { 24, TIO_X86_CX },
	      { 38, NONE });
	CHECK(test, overlapped, { 15, NONE });
	CHECK(test, indexed, { 13, NONE });
	CHECK(test, moved, { 12, TIO_X86_CX }, { 14, TIO_X86_CX }, { 20, NONE });
}

/* a function that halts, called where registers hold what is asked for */
/* the slow path of Ubuntu's 7.0 in small: words are addressed from rbp */
static void in_the_frame(struct kunit *test)
{
	static const u8 text[] = {
		0x48, 0x89, 0xf9,		/* 0  mov %rdi,%rcx */
		0x55,				/* 3  push %rbp */
		0x48, 0x89, 0xe5,		/* 4  mov %rsp,%rbp */
		0x53,				/* 7  push %rbx */
		0x48, 0x83, 0xec, 0x28,		/* 8  sub $0x28,%rsp */
		0x48, 0x89, 0x4d, 0xe0,		/* 12 mov %rcx,-0x20(%rbp) */
		0x89, 0x45, 0xec,		/* 16 mov %eax,-0x14(%rbp): the word above */
		0xe8, 0x64, 0x00, 0x00, 0x00,	/* 19 call */
		0x48, 0x8b, 0x4d, 0xe0,		/* 24 mov -0x20(%rbp),%rcx */
		0x8b, 0x01,			/* 28 mov (%rcx),%eax */
		0x89, 0x45, 0xe4,		/* 30 mov %eax,-0x1c(%rbp): in that word */
		0xe8, 0x64, 0x00, 0x00, 0x00,	/* 33 call */
		0x48, 0x8b, 0x4d, 0xe0,		/* 38 mov -0x20(%rbp),%rcx */
		0xc9,				/* 42 leave */
		0xc3,				/* 43 ret */
	};
	static const u8 no_frame[] = {
		0x55,				/* 0  push %rbp */
		0x48, 0x89, 0xf5,		/* 1  mov %rsi,%rbp */
		0x8b, 0x07,			/* 4  mov (%rdi),%eax */
		0x48, 0x89, 0x7d, 0xf8,		/* 6  mov %rdi,-0x8(%rbp) */
		0xe8, 0x64, 0x00, 0x00, 0x00,	/* 10 call */
		0x48, 0x8b, 0x7d, 0xf8,		/* 15 mov -0x8(%rbp),%rdi */
		0xc3,				/* 19 ret */
	};
	static const u8 both[] = {
		0x8b, 0x07,			/* 0  mov (%rdi),%eax */
		0x48, 0x89, 0xe5,		/* 2  mov %rsp,%rbp */
		0x48, 0x83, 0xec, 0x08,		/* 5  sub $0x8,%rsp */
		0x48, 0x89, 0x7d, 0xf8,		/* 9  mov %rdi,-0x8(%rbp) */
		0x48, 0x89, 0x04, 0x24,		/* 13 mov %rax,(%rsp): the same word */
		0x48, 0x8b, 0x55, 0xf8,		/* 17 mov -0x8(%rbp),%rdx */
		0xc3,				/* 21 ret */
	};

	CHECK(test, text, { 16, TIO_X86_CX }, { 24, NONE }, { 28, TIO_X86_CX }, { 38, NONE },
	      { 42, NONE });
	CHECK(test, no_frame, { 10, TIO_X86_DI }, { 15, NONE }, { 19, NONE });
	CHECK(test, both, { 17, TIO_X86_DI });
	KUNIT_EXPECT_FALSE(test, work.holds[21] & R(TIO_X86_DX));
}

static void left_alone(struct kunit *test)
{
	static const u8 text[] = {
		0x53,				/* 0  push %rbx */
		0x48, 0x89, 0xfb,		/* 1  mov %rdi,%rbx */
		0xfa,				/* 4  cli */
		0x8a, 0x03,			/* 5  mov (%rbx),%al */
		0x75, 0x06,			/* 7  jne 15 */
		0xf4,				/* 9  hlt */
		0xe8, 0x00, 0x00, 0x00, 0x00,	/* 10 call */
		0xfb,				/* 15 sti */
		0x5b,				/* 16 pop %rbx */
		0xc3,
	};
	static u16 unwritten[sizeof(text)];
	const u16 saved = 0xf000 | R(TIO_X86_BP) | R(TIO_X86_SP);

	KUNIT_EXPECT_TRUE(test, tio_argument_unwritten(text, sizeof(text), &work, unwritten));
	EXPECT_INT(test, unwritten[0], U16_MAX);
	EXPECT_INT(test, unwritten[4], U16_MAX & ~R(TIO_X86_BX));
	EXPECT_INT(test, unwritten[9], U16_MAX & ~(R(TIO_X86_BX) | R(TIO_X86_AX)));
	EXPECT_INT(test, unwritten[15], saved);
	/* in the midst of an instruction */
	EXPECT_INT(test, unwritten[6], 0);
	KUNIT_EXPECT_FALSE(test, tio_argument_unwritten(text, 3, &work, unwritten));
}

/* no byte of an unknown instruction is skipped, and nothing behind the end is read */
static void not_known(struct kunit *test)
{
	static const u8 avx[] = { 0x8b, 0x07, 0xc5, 0xf9, 0x6f, 0x07, 0xc3 };
	static const u8 mov[] = { 0x48, 0xc7, 0x07, 0x01, 0x00, 0x00, 0x00 };
	unsigned int len;

	KUNIT_EXPECT_FALSE(test, tio_argument_find(avx, sizeof(avx), &work, regs));
	for (len = 0; len < sizeof(mov); len++)
		KUNIT_EXPECT_FALSE(test, tio_argument_find(mov, len, &work, regs));
	KUNIT_EXPECT_TRUE(test, tio_argument_find(mov, sizeof(mov), &work, regs));
	EXPECT_INT(test, regs[0], TIO_X86_DI);
	KUNIT_EXPECT_FALSE(test, tio_argument_find(regs, TIO_ARGUMENT_TEXT + 1, &work, regs));
}

/* whatever the bytes are, it ends, and stays within them */
static void noise(struct kunit *test)
{
	static u8 text[256];
	struct rnd_state rnd;
	unsigned int i, round;

	prandom_seed_state(&rnd, SEED);
	for (round = 0; round < 2000; round++) {
		unsigned int len = 1 + below(&rnd, sizeof(text));

		for (i = 0; i < len; i++)
			text[i] = below(&rnd, 256);
		/* jumps back and forth, and what is between them is known */
		for (i = 0; round & 1 && i + 2 <= len; i += 2) {
			text[i] = i % 8 ? 0x90 : 0x74;
			text[i + 1] = i % 8 ? 0x90 : text[i + 1] & 0x9f;
		}
		memset(regs, 0xaa, sizeof(regs));
		tio_argument_find(text, len, &work, regs);
		EXPECT_INT_IN(test, regs[len], 0xaa, round);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(loop),
	KUNIT_CASE(ways_meet),
	KUNIT_CASE(way_back),
	KUNIT_CASE(parts),
	KUNIT_CASE(unused_copy),
	KUNIT_CASE(exchanges),
	KUNIT_CASE(on_the_stack),
	KUNIT_CASE(in_the_frame),
	KUNIT_CASE(left_alone),
	KUNIT_CASE(not_known),
	KUNIT_CASE(noise),
	{ }
};

TIO_SUITE("argument_register", "which register holds an argument");
