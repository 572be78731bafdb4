// SPDX-License-Identifier: GPL-2.0-only
/* Which module is installed, or why none is: of file systems that are made for it. */
#include "page.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "installed.h"

#define RELEASE	"6.1.0-56-amd64"

static char root[] = "/tmp/irqoff-installed-XXXXXX";
static struct installed installed;

__printf(1, 2) static void run(const char *format, ...)
{
	va_list args;
	char *command;

	va_start(args, format);
	command = vprint_text(format, args);
	va_end(args);
	assert_int_equal(system(command), 0);
	free(command);
}

/* with an empty root, or one in which `dkms add` was run */
static int begin(void **state)
{
	(void)state;
	strcpy(root + strlen(root) - 6, "XXXXXX");
	return !mkdtemp(root);
}

static int end(void **state)
{
	(void)state;
	run("rm -r %s", root);
	return 0;
}

static void add(const char *version)
{
	run("mkdir -p %s/var/lib/dkms/trace_irqoff/%s %s/lib/modules/" RELEASE, root, version,
	    root);
}

static void headers(void)
{
	run("mkdir -p %s/lib/modules/" RELEASE "/build/include", root);
}

static void build(const char *version)
{
	run("cd %s/var/lib/dkms/trace_irqoff && mkdir -p %s/" RELEASE "/x86_64 && "
	    "ln -sfn %s/" RELEASE "/x86_64 kernel-" RELEASE "-x86_64 && "
	    "echo 'kernel/a.ko: b\nupdates/dkms/trace_irqoff.ko.xz: c' > "
	    "%s/lib/modules/" RELEASE "/modules.dep", root, version, version, root);
}

static void note_build(const char *word)
{
	run("mkdir -p %s/var/lib/trace-irqoff-dkms && echo %s > "
	    "%s/var/lib/trace-irqoff-dkms/" RELEASE, root, word, root);
}

static void look(enum installed_state wanted, const char *version, const char *reason)
{
	char *said;

	installed_look(&installed, root, RELEASE);
	assert_int_equal(installed.state, wanted);
	assert_string_equal(installed.version, version);
	said = installed_reason(&installed);
	if (!reason)
		assert_null(said);
	else if (!said || !strstr(said, reason))
		fail_msg("'%s' has no '%s'", said ? said : "", reason);
	free(said);
}

static void nothing_known(void **state)
{
	(void)state;
	look(INSTALLED_UNKNOWN, "", NULL);
	headers();
	look(INSTALLED_UNKNOWN, "", NULL);
}

static void without_headers(void **state)
{
	(void)state;
	add("0.3.0");
	look(INSTALLED_NO_HEADERS, "0.3.0", "no module for this kernel; install linux-headers-" RELEASE ",");
	/* whatever became of an earlier build */
	note_build("failed");
	look(INSTALLED_NO_HEADERS, "0.3.0", "install linux-headers-" RELEASE);
}

static void not_built(void **state)
{
	(void)state;
	add("0.3.0");
	headers();
	look(INSTALLED_NOT_BUILT, "0.3.0", "dkms install trace_irqoff/0.3.0 -k " RELEASE " builds it");
	note_build("skipped");
	look(INSTALLED_SKIPPED, "0.3.0", "trace_irqoff 0.3.0 was not tested with " RELEASE);
	note_build("failed");
	look(INSTALLED_FAILED, "0.3.0", "the log is /var/lib/trace-irqoff-dkms/" RELEASE ".log");
}

static void installed_versions(void **state)
{
	(void)state;
	add("0.9.0");
	add("0.10.0");
	headers();
	look(INSTALLED_NOT_BUILT, "0.10.0", "trace_irqoff/0.10.0");
	build("0.9.0");
	look(INSTALLED_MODULE, "0.9.0", NULL);
	run("mkdir -p %s/sys/module/module/parameters && echo N > %s/sys/module/module/parameters/sig_enforce",
	    root, root);
	look(INSTALLED_MODULE, "0.9.0", NULL);
}

static void by_hand(void **state)
{
	(void)state;
	run("mkdir -p %s/lib/modules/" RELEASE " && echo 'extra/module/trace_irqoff.ko:' > "
	    "%s/lib/modules/" RELEASE "/modules.dep", root, root);
	look(INSTALLED_MODULE, "", NULL);
}

static void kept_from_an_upgrade(void **state)
{
	(void)state;
	add("0.2.0");
	headers();
	run("echo 'updates/trace-irqoff-kept/trace_irqoff.ko:' > %s/lib/modules/" RELEASE "/modules.dep",
	    root);
	note_build("kept 0.3.0");
	look(INSTALLED_MODULE, "0.3.0", NULL);
}

static void signed_modules_only(void **state)
{
	(void)state;
	add("0.3.0");
	build("0.3.0");
	run("mkdir -p %s/sys/kernel/security && echo 'none [integrity] confidentiality' > "
	    "%s/sys/kernel/security/lockdown", root, root);
	look(INSTALLED_SIGNED_ONLY, "0.3.0", "mokutil --import /var/lib/dkms/mok.pub");
	run("echo '[none] integrity confidentiality' > %s/sys/kernel/security/lockdown", root);
	look(INSTALLED_MODULE, "0.3.0", NULL);
	run("mkdir -p %s/sys/module/module/parameters && echo Y > %s/sys/module/module/parameters/sig_enforce",
	    root, root);
	look(INSTALLED_SIGNED_ONLY, "0.3.0", "signed modules only");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_known, begin, end),
		cmocka_unit_test_setup_teardown(without_headers, begin, end),
		cmocka_unit_test_setup_teardown(not_built, begin, end),
		cmocka_unit_test_setup_teardown(installed_versions, begin, end),
		cmocka_unit_test_setup_teardown(by_hand, begin, end),
		cmocka_unit_test_setup_teardown(kept_from_an_upgrade, begin, end),
		cmocka_unit_test_setup_teardown(signed_modules_only, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
