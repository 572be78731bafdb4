// SPDX-License-Identifier: GPL-2.0-only
/* Files of known causes, which administrators write by hand. */
#include "fuzz.h"

#include <string.h>

#include "base/say.h"
#include "causes/causes.h"

/* a stall that the signatures are compared with */
static void compare(const struct causes *causes)
{
	static const char * const culprits[] = { "foo [bar]", "foo", "(task foo)", NULL };

	for (size_t i = 0; i < ARRAY_SIZE(culprits); i++) {
		struct entry entry = {
			.found.verdict.class = TIO_CLASS_STOLEN,
			.found.culprit = (char *)culprits[i],
		};
		const struct cause *cause = cause_find(causes, NULL, &entry);

		promise(!cause || (cause->stall && cause_by_id(causes, cause->id) == cause));
	}
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	char *text = text_of((struct input){ data, size });
	struct causes causes = { 0 };
	/* twice: the second file has the ids of the first */
	char *wrong = causes_add(&causes, "file", text), *again = causes_add(&causes, "file", text);

	promise(!wrong == !again);
	promise(!wrong || (!causes.count && !strchr(wrong, '\n')));
	promise(causes.refused == (wrong ? 2 : 0));
	compare(&causes);
	causes_free(&causes);
	free(wrong);
	free(again);
	free(text);
	return 0;
}
