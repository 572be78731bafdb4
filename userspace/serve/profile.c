// SPDX-License-Identifier: GPL-2.0-only
/*
 * The captures are read by another process, which may fail, hang or take much memory. It
 * prints into files in memory, so that nobody has to read while it prints.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clocks.h"
#include "base/program.h"
#include "base/say.h"
#include "base/units.h"
#include "output/export.h"
#include "serve/captures.h"
#include "serve/profile.h"

#define LIMIT_NS	(30 * NSEC_PER_SEC)
#define LIMIT_SECONDS	30
#define BYTES_MOST	(64 << 20)
#define SENTENCE_MOST	1024

static void drop(struct profile *profile)
{
	if (profile->out >= 0)
		close(profile->out);
	if (profile->err >= 0)
		close(profile->err);
	profile->out = -1;
	profile->err = -1;
}

static void fail(struct profile *profile, char *why)
{
	free(profile->why);
	profile->why = why;
	profile->done = true;
}

/* of no captures */
static char *write_empty(int fd)
{
	FILE *out;

	if (!pprof_exporter.begin)
		return copy_text("irqoff-serve was built without protobuf-c or zlib");
	out = or_exit(fdopen(dup(fd), "w"));
	pprof_exporter.end(pprof_exporter.begin(out, NULL));
	return fclose(out) ? print_text("could not write a profile: %s", strerror(errno)) : NULL;
}

/* irqoff, which came with this program: PREFIX/sbin/irqoff, or beside it where it is built */
static char *reader_path(void)
{
	char directory[PATH_MAX], *beside, *installed;

	if (!program_directory(directory))
		return copy_text("/usr/sbin/irqoff");
	beside = print_text("%s/irqoff", directory);
	if (!access(beside, X_OK))
		return beside;
	free(beside);
	/* PREFIX/lib/trace-irqoff */
	cut_name(directory);
	cut_name(directory);
	installed = print_text("%s/sbin/irqoff", directory);
	return installed;
}

static void limit(int what, rlim_t most)
{
	const struct rlimit limits = { most, most };

	setrlimit(what, &limits);
}

/* the child: what it is to be, or its end */
static void become(char **words, int out, int err, pid_t parent)
{
	int none = open("/dev/null", O_RDONLY);
	sigset_t signals;

	sigemptyset(&signals);
	sigprocmask(SIG_SETMASK, &signals, NULL);
	signal(SIGPIPE, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILED);
	limit(RLIMIT_CPU, LIMIT_SECONDS);
	limit(RLIMIT_FSIZE, BYTES_MOST);
	limit(RLIMIT_CORE, 0);
	if (none < 0 || dup2(none, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(err, STDERR_FILENO) < 0)
		_exit(EXIT_FAILED);
	execv(words[0], words);
	failed("could not run %s: %s", words[0], strerror(errno));
	_exit(EXIT_FAILED);
}

/* the moment as irqoff export takes it; an age would count back from the last capture's time */
static void print_since(char *buf, size_t size, time_t since)
{
	struct tm utc;

	strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&since, &utc));
}

static void start_reader(struct profile *profile, const struct rotation *row, time_t since)
{
	char **words = alloc(row->count + 9, sizeof(*words)), stamp[64], *path = reader_path();
	pid_t parent = getpid();
	size_t count = 0;

	print_since(stamp, sizeof(stamp), since);
	words[count++] = path;
	words[count++] = "export";
	words[count++] = "--format";
	words[count++] = "pprof";
	words[count++] = "--partial";
	words[count++] = "--since";
	words[count++] = stamp;
	words[count++] = "-i";
	for (size_t i = 0; i < row->count; i++)
		words[count++] = row->names[i];
	profile->late = false;
	profile->end_ns = clock_monotonic_ns() + LIMIT_NS;
	profile->pid = fork();
	if (!profile->pid)
		become(words, profile->out, profile->err, parent);
	if (profile->pid < 0) {
		profile->pid = 0;
		fail(profile, print_text("could not run %s: %s", path, strerror(errno)));
	}
	free(path);
	free(words);
}

static void start(struct profile *profile)
{
	time_t since = time(NULL) - profile->seconds;
	struct rotation row = { 0 };
	char *why;

	profile->out = memfd_create("profile", MFD_CLOEXEC);
	profile->err = memfd_create("messages", MFD_CLOEXEC);
	if (profile->out < 0 || profile->err < 0) {
		fail(profile, print_text("could not make a profile: %s", strerror(errno)));
		return;
	}
	why = captures_since(&row, profile->directory, since);
	if (!why && row.count)
		start_reader(profile, &row, since);
	else
		fail(profile, why ? why : write_empty(profile->out));
	rotation_free(&row);
}

/**
 * profile_start() - begin to make one
 * @profile: none is being made; is @done sooner or later
 * @directory: the agent's captures
 * @seconds: of stalls that ended since then
 */
void profile_start(struct profile *profile, const char *directory, unsigned int seconds)
{
	*profile = (struct profile){
		.out = -1, .err = -1, .directory = directory, .seconds = seconds,
	};
	start(profile);
}

/* the last line that it printed, without the name of the program; to be freed */
static char *sentence(const struct profile *profile)
{
	static const char name[] = "irqoff: ";
	char said[SENTENCE_MOST + 1], *end, *line;
	off_t size = lseek(profile->err, 0, SEEK_END);
	ssize_t len = pread(profile->err, said, SENTENCE_MOST,
			    size > SENTENCE_MOST ? size - SENTENCE_MOST : 0);

	said[len < 0 ? 0 : len] = '\0';
	end = strrchr(said, '\n');
	if (!end)
		return copy_text("irqoff export failed, and has not said why");
	*end = '\0';
	line = strrchr(said, '\n');
	line = line ? line + 1 : said;
	return copy_text(!strncmp(line, name, strlen(name)) ? line + strlen(name) : line);
}

/* it has written what there is; its last line says what is not */
static bool is_partial(const struct profile *profile, int status)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILED &&
	       lseek(profile->out, 0, SEEK_END) > 0;
}

static char *why_of(const struct profile *profile, int status)
{
	if (profile->late)
		return print_text("irqoff export took longer than %u s; ask for fewer seconds",
				  LIMIT_SECONDS);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ)
		return print_text("the profile has more than %u MiB; ask for fewer seconds",
				  BYTES_MOST >> 20);
	if (WIFSIGNALED(status))
		return print_text("irqoff export was ended by signal %d (%s)", WTERMSIG(status),
				  strsignal(WTERMSIG(status)));
	return sentence(profile);
}

/**
 * profile_reap() - look whether the reader has ended
 * @profile: from profile_start()
 *
 * Where it failed, or could not read a capture whole, it is run once more: the agent may have
 * removed a capture meanwhile, or just begun or ended one.
 */
void profile_reap(struct profile *profile)
{
	int status;

	if (!profile->pid || waitpid(profile->pid, &status, WNOHANG) != profile->pid)
		return;
	profile->pid = 0;
	if (WIFEXITED(status) && !WEXITSTATUS(status)) {
		profile->done = true;
	} else if (WIFEXITED(status) && !profile->again) {
		profile->again = true;
		drop(profile);
		start(profile);
	} else if (is_partial(profile, status)) {
		profile->lacks = sentence(profile);
		profile->done = true;
	} else {
		fail(profile, why_of(profile, status));
	}
}

/* kills a reader that takes too long; profile_reap() sees its end */
void profile_limit(struct profile *profile, __u64 now_ns)
{
	if (!profile->pid || profile->late || now_ns < profile->end_ns)
		return;
	profile->late = true;
	kill(profile->pid, SIGKILL);
}

/**
 * profile_take() - take what was made
 * @profile: it is done, and is as before profile_start() then
 * @fd: set to a file that has the profile, which the caller closes
 * @lacks: set to what is not in it, to be freed; NULL: nothing
 *
 * Return: NULL, or why there is no profile: a sentence without its full stop, to be freed.
 */
char *profile_take(struct profile *profile, int *fd, char **lacks)
{
	char *why = profile->why;

	*lacks = profile->lacks;
	*fd = -1;
	if (!why) {
		*fd = profile->out;
		profile->out = -1;
	}
	drop(profile);
	*profile = (struct profile){ .out = -1, .err = -1 };
	return why;
}

/* ends what is being made; it is done then */
void profile_stop(struct profile *profile)
{
	if (!profile->pid)
		return;
	kill(profile->pid, SIGKILL);
	waitpid(profile->pid, NULL, 0);
	profile->pid = 0;
	fail(profile, copy_text("irqoff serve ends"));
}
