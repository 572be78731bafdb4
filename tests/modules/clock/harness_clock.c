// SPDX-License-Identifier: GPL-2.0-only
/*
 * A clocksource that takes as long to read as a HPET on a bus: 1.5 us. It is the TSC, read
 * late. The kernel uses it once it is asked to (current_clocksource).
 */
#include <linux/clocksource.h>
#include <linux/module.h>
#include <linux/timex.h>
#include <asm/tsc.h>

static u64 read_late(struct clocksource *cs)
{
	cycles_t until = get_cycles() + tsc_khz * 3 / 2000;

	/* no-ops, because an emulator takes several times as long for cpu_relax() */
	while (get_cycles() < until)
		asm volatile(".rept 100\n\tnop\n\t.endr");
	return get_cycles();
}

static struct clocksource late = {
	.name = "late",
	.rating = 1,
	.read = read_late,
	.mask = CLOCKSOURCE_MASK(64),
	.flags = CLOCK_SOURCE_IS_CONTINUOUS | CLOCK_SOURCE_VALID_FOR_HRES,
};

static int __init harness_clock_init(void)
{
	return clocksource_register_khz(&late, tsc_khz);
}

static void __exit harness_clock_exit(void)
{
	clocksource_unregister(&late);
}

module_init(harness_clock_init);
module_exit(harness_clock_exit);

MODULE_DESCRIPTION("A clock that is slow to read");
MODULE_AUTHOR("The trace_irqoff authors");
MODULE_LICENSE("GPL");
