// SPDX-License-Identifier: GPL-2.0-only
/* spin: keeps a CPU busy. An emulator executes hardly anything as fast as no-ops. */
int main(void)
{
	for (;;)
		__asm__ volatile(".rept 1000\n\tnop\n\t.endr");
}
