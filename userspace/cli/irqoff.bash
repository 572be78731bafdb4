# SPDX-License-Identifier: GPL-2.0-only
# bash completion for irqoff. The program itself knows its options.
if command -v irqoff > /dev/null; then
	eval "$(irqoff completion bash)"
fi
