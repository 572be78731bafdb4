// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include "core/frame_rule.h"
#include "names/frame.h"

/* what the module sends instead of an address: the highest bit is clear */
#define OPAQUE	0x7fffffffc0100110ULL

/* expects the name of one address, as the innermost frame or as a return address */
static void assert_name(const char *kallsyms, const char *modules, __u64 addr, bool returns,
			const char *wanted)
{
	struct symbols *symbols = symbols_of(kallsyms, modules);
	const __u64 frames[] = { returns ? 0 : addr, returns ? addr : 0 };
	struct entry entry = { 0 };
	struct symbol symbol;
	char text[SYMBOL_TEXT_LEN];

	set_frames(&entry.rec.end, frames, 2);
	frame_symbol(symbols, &entry, &entry.rec.end, returns, &symbol);
	assert_string_equal(print_symbol(text, &symbol), wanted);
	symbols_close(symbols);
}

static void assert_fixture(__u64 addr, const char *wanted)
{
	assert_name(fixture_kallsyms, fixture_modules, addr, false, wanted);
}

static void kernel_module_bpf(void **state)
{
	assert_fixture(AT_DELAY_TSC, "delay_tsc+0x0/0x1000");
	assert_fixture(AT_DELAY_TSC + 0xfff, "delay_tsc+0xfff/0x1000");
	assert_fixture(AT_ESTIMATION + 0x7c, "estimation_timer+0x7c/0x100 [ip_vs]");
	assert_fixture(AT_BPF + 0x10, "bpf_prog_6deef7357e7b4530+0x10 [bpf?]");
}

/* functions of init code are still on the stack of CPU 0's idle task */
static void code_of_init(void **state)
{
	assert_fixture(0xffffffff82000110ULL, "start_kernel+0x100/0xff0");
	assert_fixture(0xffffffff82002010ULL, "[unloaded]");
	assert_name("ffffffff81000000 T _stext\nffffffff81001000 T _etext\n"
		    "ffffffff82000000 T f\nffffffff82001000 T _einittext\n", "",
		    0xffffffff82000010ULL, false, "[unloaded]");
}

static void nothing_there(void **state)
{
	assert_fixture(AT_NOTHING, "[unloaded]");
	/* below the first symbol; data after the text; no address */
	assert_fixture(0xffffffff80ffffffULL, "[unloaded]");
	assert_fixture(0xffffffff81800010ULL, "[unloaded]");
	assert_fixture(0, "[unloaded]");
	/* the last function of a module has the rest of its page; nobody knows of more */
	assert_fixture(0xffffffffc0100fffULL, "_raw_spin_lock+0xdff [ip_vs]");
	assert_fixture(0xffffffffc0101000ULL, "[unloaded]");
	assert_fixture(0xffffffffc0104000ULL, "[unloaded]");
	/* dummy is loaded but has no symbols; far after an eBPF program */
	assert_fixture(0xffffffffc0200010ULL, "[unloaded]");
	assert_fixture(AT_BPF + 0x10000, "[unloaded]");
	assert_fixture(~0ULL, "[unloaded]");
}

/* the module was unloaded after kallsyms was read and before modules was */
static void module_just_gone(void **state)
{
	assert_name(fixture_kallsyms, "dummy 4096 0 - Live 0xffffffffc0200000\n", AT_ESTIMATION,
		    false, "[unloaded]");
	assert_name("ffffffffc0000100 t a\t[gone]\n", "", 0xffffffffc0000100ULL, false,
		    "[unloaded]");
}

static void return_addresses(void **state)
{
	/* a call at the very end of a function returns to the address after it */
	assert_name(fixture_kallsyms, fixture_modules, AT_HANDLE_SOFTIRQS, true,
		    "delay_tsc+0x1000/0x1000");
	assert_name(fixture_kallsyms, fixture_modules, AT_HANDLE_SOFTIRQS + 1, true,
		    "handle_softirqs+0x1/0x1000");
}

/* below an interrupt's entry lies the instruction that it came in on, no return address */
static void interrupted(void **state)
{
	const __u64 frames[] = { AT_HRTIMER_INTERRUPT, AT_SYSVEC_TIMER, AT_ASM_INTERRUPT + 9,
				 AT_MEMORY_STAT, AT_FLUSH_COLD };
	static const char * const wanted[] = {
		"hrtimer_interrupt", "hrtimer_interrupt", "asm_common_interrupt",
		"memory_stat_format.constprop.0", "memory_stat_format.constprop.0",
	};
	struct symbols *symbols = symbols_of(fixture_kallsyms, fixture_modules);
	struct entry entry = { 0 };
	struct symbol symbol;

	set_frames(&entry.rec.end, frames, ARRAY_SIZE(frames));
	for (unsigned int i = 0; i < ARRAY_SIZE(frames); i++) {
		frame_symbol(symbols, &entry, &entry.rec.end, i, &symbol);
		assert_string_equal(symbol.name, wanted[i]);
	}
	symbols_close(symbols);
	assert_true(tio_is_entry("el1h_64_irq"));
	assert_true(tio_is_entry("el1_irq"));
	/* x86 before v5.8 */
	assert_true(tio_is_entry("ret_from_intr"));
	assert_true(tio_is_entry("apic_timer_interrupt"));
	assert_true(tio_is_entry("page_fault"));
	/* these return to who called them */
	assert_false(tio_is_entry("el1h_64_irq_handler"));
	assert_false(tio_is_entry("asm_call_sysvec_on_stack"));
	assert_false(tio_is_entry("smp_apic_timer_interrupt"));
}

static void several_names(void **state)
{
	static const struct {
		const char *kallsyms;
		const char *wanted;
	} cases[] = {
		{ "ffffffff81000000 t local\nffffffff81000000 T global\n", "global" },
		{ "ffffffff81000000 T __pi_memcpy\nffffffff81000000 t memcpy\n", "memcpy" },
		{ "ffffffff81000000 T __cfi_work\nffffffff81000000 T work\n", "work" },
		{ "ffffffff81000000 T __memcpy\nffffffff81000000 W memcpy\n", "__memcpy" },
		{ "ffffffff81000000 T __memcpy\nffffffff81000000 T memcpy\n", "memcpy" },
		{ "ffffffff81000000 T __pi___memcpy\nffffffff81000000 T __memcpy\n", "__memcpy" },
		{ "ffffffff81000000 T __entry_text_start\nffffffff81000000 t do_it\n", "do_it" },
		{ "ffffffff81000000 T __softirqentry_text_start\nffffffff81000000 t __do_softirq\n",
		  "__do_softirq" },
		{ "ffffffff81000000 T first\nffffffff81000000 T second\n", "first" },
		/* not code */
		{ "ffffffff81000000 D data\nffffffff81000000 t code\n", "code" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char wanted[64];

		snprintf(wanted, sizeof(wanted), "%s+0x4", cases[i].wanted);
		assert_name(cases[i].kallsyms, "", 0xffffffff81000004ULL, false, wanted);
	}
}

/* kallsyms is sorted by address for the kernel, but not for modules */
static void any_order(void **state)
{
	assert_name("ffffffffc0000200 t b\t[m]\nffffffffc0000100 t a\t[m]\n",
		    "m 4096 0 - Live 0xffffffffc0000000\n", 0xffffffffc0000150ULL, false,
		    "a+0x50/0x100 [m]");
}

/* mapping symbols are local symbols of code, at any address in a function */
static void mapping_symbols(void **state)
{
	static const char kallsyms[] =
		"ffff800008000100 t $x\t[m]\nffff800008000100 t a\t[m]\n"
		"ffff800008000140 t $x.12\t[m]\nffff800008000148 t $d\t[m]\n"
		"ffff800008000150 t .L7\t[m]\nffff800008000200 t $xy\t[m]\n";
	static const char modules[] = "m 4096 0 - Live 0xffff800008000000\n";

	assert_name(kallsyms, modules, 0xffff800008000104ULL, false, "a+0x4/0x100 [m]");
	assert_name(kallsyms, modules, 0xffff800008000144ULL, false, "a+0x44/0x100 [m]");
	assert_name(kallsyms, modules, 0xffff800008000160ULL, false, "a+0x60/0x100 [m]");
	assert_name(kallsyms, modules, 0xffff800008000204ULL, false, "$xy+0x4 [m]");
}

static void long_names(void **state)
{
	char name[513] = "", line[700], wanted[700];

	memset(name, 'x', 511);
	name[0] = '_';
	name[1] = 'R';
	snprintf(line, sizeof(line), "ffffffff81000000 t %s\nffffffff81000100 t next\n", name);
	snprintf(wanted, sizeof(wanted), "%s+0x1/0x100", name);
	assert_name(line, "", 0xffffffff81000001ULL, false, wanted);
	/* with a module's name after it */
	snprintf(line, sizeof(line), "ffffffffc0000000 t %s\t[m]\n", name);
	snprintf(wanted, sizeof(wanted), "%s+0x1 [m]", name);
	assert_name(line, "m 4096 0 - Live 0xffffffffc0000000\n", 0xffffffffc0000001ULL, false,
		    wanted);
}

static void hidden(void **state)
{
	struct symbols *symbols = symbols_of("0000000000000000 T _stext\n0000000000000000 t f\n",
					     "m 4096 0 - Live 0x0000000000000000\n");
	struct kernel_name names[] = {
		{ AT_DELAY_TSC, "__pi_delay_tsc+0x0/0x40" },
		{ AT_ESTIMATION, "estimation_timer+0x7c/0x1f0 [ip_vs]" },
		{ AT_NOTHING, "[unloaded]" },
		{ AT_SYSCALL, "do_it+0x10/0x10" },
		{ AT_SYSCALL, "before+0x20/0x20" },
		{ AT_BPF, "0xffffffffc0300000" },
		{ AT_SCHEDULE, "mod+ule.x+0x3/0x4 [m-x]" },
		{ OPAQUE, "bpf_prog_6deef7357e7b4530_drop+0x3/0x40 [bpf?]" },
	};
	struct entry entry = { .names = names, .nnames = ARRAY_SIZE(names) };
	struct tio_sample *end = &entry.rec.end;
	static const char * const wanted[] = {
		"do_it+0x10/0x10", "delay_tsc+0x0/0x40", "estimation_timer+0x7c/0x1f0 [ip_vs]",
		"[unloaded]", "before+0x20/0x20", "[unloaded]", "mod+ule.x+0x3/0x4 [m-x]",
		"bpf_prog_6deef7357e7b4530_drop+0x3/0x40 [bpf?]", "[unloaded]",
	};
	char text[SYMBOL_TEXT_LEN];
	struct symbol symbol;

	assert_true(symbols_hidden(symbols));
	/* the same address has another name as a return address */
	set_stack(end, AT_SYSCALL, AT_DELAY_TSC, AT_ESTIMATION, AT_NOTHING, AT_SYSCALL, AT_BPF,
		  AT_SCHEDULE, OPAQUE, AT_MEMORY_STAT, 0ULL);
	for (unsigned int i = 0; i < end->nframes; i++) {
		frame_symbol(symbols, &entry, end, i, &symbol);
		assert_string_equal(print_symbol(text, &symbol), wanted[i]);
	}
	symbols_close(symbols);
}

/* opaque numbers are named by the module, whatever names this reader may see */
static void opaque_numbers(void **state)
{
	struct symbols *symbols = symbols_of(fixture_kallsyms, fixture_modules);
	struct kernel_name names[] = {
		{ OPAQUE, "estimation_timer+0x7c/0x1f0 [ip_vs]" },
		{ OPAQUE + 1, "[unloaded stall]" },
	};
	struct entry entry = { .names = names, .nnames = ARRAY_SIZE(names) };
	static const char * const wanted[] = {
		"estimation_timer+0x7c/0x1f0 [ip_vs]", "[unloaded stall]", "[unloaded]",
	};
	char text[SYMBOL_TEXT_LEN];
	struct symbol symbol;

	set_stack(&entry.rec.end, OPAQUE, OPAQUE + 1, OPAQUE + 2, 0ULL);
	for (unsigned int i = 0; i < entry.rec.end.nframes; i++) {
		frame_symbol(symbols, &entry, &entry.rec.end, i, &symbol);
		assert_string_equal(print_symbol(text, &symbol), wanted[i]);
	}
	symbols_close(symbols);
}

/* since 6.4 /proc/modules has a module's whole size, which reaches beyond its code */
static void neighbours(void **state)
{
	static const char kallsyms[] = "ffffffff81000000 T _stext\n"
				       "ffffffffc0000000 t neighbour_init\t[neighbour]\n"
				       "ffffffffc0002000 t neighbour_exit\t[neighbour]\n"
				       "ffffffffc0005010 t other\t[other]\n";
	static const char modules[] = "neighbour 65536 0 - Live 0xffffffffc0000000\n"
				      "other 4096 0 - Live 0xffffffffc0005000\n";

	/* between two functions of a module there is nothing else */
	assert_name(kallsyms, modules, 0xffffffffc0001fffULL, false,
		    "neighbour_init+0x1fff/0x2000 [neighbour]");
	assert_name(kallsyms, modules, 0xffffffffc0002fffULL, false,
		    "neighbour_exit+0xfff [neighbour]");
	/* between the last one and another module a module may have been */
	assert_name(kallsyms, modules, 0xffffffffc0003000ULL, true,
		    "neighbour_exit+0x1000 [neighbour]");
	assert_name(kallsyms, modules, 0xffffffffc0003000ULL, false, "[unloaded]");
	assert_name(kallsyms, modules, 0xffffffffc0005000ULL, false, "[unloaded]");
	assert_name(kallsyms, modules, 0xffffffffc0005fffULL, false, "other+0xfef [other]");
	assert_name(kallsyms, modules, 0xffffffffc0006000ULL, false, "[unloaded]");
}

/* a name that the module sends is better than one of the files */
static void sent(void **state)
{
	struct symbols *symbols = symbols_of(fixture_kallsyms, fixture_modules);
	static const char * const names[] = {
		"[unloaded]", "make_irqoff+0x12/0x40 [stall] (unloaded)", "[stall]+0x85 (unloaded)",
		"[stall init]+0x0 (unloaded)", "[unloaded stall]", "estimate+0x1/0x2 [ip_vs]",
		"bpf_prog_6deef7357e7b4530+0x1/0x2 [bpf?]",
	};
	static const char * const functions[ARRAY_SIZE(names)] = {
		[1] = "make_irqoff [stall]", [5] = "estimate [ip_vs]",
		[6] = "bpf_prog_6deef7357e7b4530 [bpf?]",
	};
	struct kernel_name name = { .addr = AT_ESTIMATION + 1 };
	struct entry entry = { .names = &name, .nnames = 1 };
	char text[SYMBOL_TEXT_LEN];
	struct symbol symbol;

	set_stack(&entry.rec.end, AT_ESTIMATION + 1, AT_ESTIMATION + 1, 0ULL);
	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		name.symbol = names[i];
		for (unsigned int frame = 0; frame < 2; frame++) {
			frame_symbol(symbols, &entry, &entry.rec.end, frame, &symbol);
			assert_string_equal(print_symbol(text, &symbol), names[i]);
			assert_int_equal(symbol.unloaded, i < 5);
			assert_false(symbol_is_core(&symbol));
		}
		assert_string_equal(print_function(text, &symbol), functions[i] ?: names[i]);
		/* what is there now came later; the name of what was there before holds */
		entry.rec.end.stale = 3;
		frame_symbol(symbols, &entry, &entry.rec.end, 0, &symbol);
		assert_string_equal(print_symbol(text, &symbol), i < 5 ? names[i] : "[unloaded]");
		entry.rec.end.stale = 0;
	}
	symbols_close(symbols);
}

/* an older module sends the name of a module, and nothing else */
static void sent_by_older(void **state)
{
	struct symbols *symbols = symbols_of("ffffffff81000000 T _stext\n"
					     "ffffffffc0000000 t neighbour_exit\t[neighbour]\n",
					     "neighbour 65536 0 - Live 0xffffffffc0000000\n");
	struct kernel_name gone = { 0xffffffffc0000010ULL, "[unloaded test_lockup]" };
	struct entry entry = { .names = &gone, .nnames = 1 };
	char text[SYMBOL_TEXT_LEN];
	struct symbol symbol;

	set_stack(&entry.rec.end, gone.addr, gone.addr, 0ULL);
	for (unsigned int i = 0; i < entry.rec.end.nframes; i++) {
		frame_symbol(symbols, &entry, &entry.rec.end, i, &symbol);
		assert_string_equal(print_symbol(text, &symbol), gone.symbol);
	}
	symbols_close(symbols);
}

/* the kernel's own functions are no programs */
static void names_of_bpf(void **state)
{
	static const struct {
		const char *name;
		bool bpf;
	} table[] = {
		{ "bpf_prog_6deef7357e7b4530", true },
		{ "bpf_prog_6deef7357e7b4530+0x1/0x2", true },
		{ "bpf_prog_6deef7357e7b4530_sd_fw_egress+0x1/0x2", true },
		{ "bpf_prog_6deef7357e7b453", false }, { "bpf_prog_6deef7357e7b45301", false },
		{ "bpf_prog_6Deef7357e7b4530", false }, { "bpf_prog_", false },
		{ "bpf_prog_run_clear_cb+0x1/0x2", false }, { "bpf_prog_add", false },
		{ "bpf_prog_dec_and_test_and_more", false },
		{ "bpf_trampoline_6442494949_0+0x1/0x2", true }, { "bpf_trampoline_7", true },
		{ "bpf_trampoline_link_prog", false }, { "bpf_trampoline_", false },
		{ "bpf__tcp_congestion_ops_ssthresh", true }, { "bpf_map_put", false },
		{ "__bpf_prog_run64", false }, { "x_bpf_prog_6deef7357e7b4530", false },
		{ "", false },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		if (tio_is_bpf(table[i].name) != table[i].bpf)
			fail_msg("%s", table[i].name);
}

static void not_hidden(void **state)
{
	struct symbols *symbols = symbols_of(fixture_kallsyms, fixture_modules);

	assert_false(symbols_hidden(symbols));
	symbols_close(symbols);
	symbols = symbols_open("/nonexistent", "/nonexistent");
	assert_true(symbols_hidden(symbols));
	symbols_close(symbols);
	symbols = symbols_of(NULL, fixture_modules);
	assert_true(symbols_hidden(symbols));
	symbols_close(symbols);
	/* without the list of modules, a module's functions would get wrong names */
	symbols = symbols_of(fixture_kallsyms, NULL);
	assert_true(symbols_hidden(symbols));
	symbols_close(symbols);
}

/* every address with a name now had another one then */
static void stale(void **state)
{
	struct symbols *symbols = symbols_of(fixture_kallsyms, fixture_modules);
	struct kernel_name name = { AT_ESTIMATION, "estimation_timer+0x0/0x1 [ip_vs]" };
	struct entry entry = { .names = &name, .nnames = 1 };
	__u64 frames[TIO_FRAMES];
	struct symbol symbol;

	entry.rec.nsamples = 1;
	for (unsigned int i = 0; i < TIO_FRAMES; i++)
		frames[i] = AT_ESTIMATION;
	set_frames(&entry.rec.samples[0], frames, TIO_FRAMES);
	entry.rec.end = entry.rec.samples[0];
	entry.rec.samples[0].stale = 1ULL << 63 | 1ULL << 1;
	for (unsigned int i = 0; i < TIO_FRAMES; i++) {
		frame_symbol(symbols, &entry, &entry.rec.samples[0], i, &symbol);
		assert_int_equal(symbol.unloaded, i == 1 || i == 63);
		/* each stack has its own mask */
		frame_symbol(symbols, &entry, &entry.rec.end, i, &symbol);
		assert_false(symbol.unloaded);
	}
	symbols_close(symbols);
}

static void garbage(void **state)
{
	assert_name("\nxyz\nffffffff81000000\nffffffff81000000 t\nffffffff81000000 t\t\n"
		    "ffffffff81000000 t [\nffffffff81000010 t f\t[\n", "\nm\nm x y\n",
		    0xffffffff81000011ULL, false, "f+0x1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_module_bpf),
		cmocka_unit_test(code_of_init),
		cmocka_unit_test(nothing_there),
		cmocka_unit_test(module_just_gone),
		cmocka_unit_test(return_addresses),
		cmocka_unit_test(interrupted),
		cmocka_unit_test(several_names),
		cmocka_unit_test(any_order),
		cmocka_unit_test(mapping_symbols),
		cmocka_unit_test(long_names),
		cmocka_unit_test(hidden),
		cmocka_unit_test(opaque_numbers),
		cmocka_unit_test(neighbours),
		cmocka_unit_test(sent),
		cmocka_unit_test(sent_by_older),
		cmocka_unit_test(names_of_bpf),
		cmocka_unit_test(not_hidden),
		cmocka_unit_test(stale),
		cmocka_unit_test(garbage),
	};

	return cmocka_run_group_tests_name("symbols", tests, NULL, NULL);
}
