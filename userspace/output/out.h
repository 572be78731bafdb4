/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints the model, for people and for programs. The file is a parameter, for the tests. */
#ifndef _IRQOFF_OUT_H
#define _IRQOFF_OUT_H

#include <stdio.h>

#include "base/say.h"
#include "base/units.h"
#include "group/summary.h"
#include "judge/had_cpu.h"
#include "judge/stacks.h"
#include "judge/window.h"
#include "model/model.h"
#include "names/stack_functions.h"
#include "names/symbols.h"
#include "terminal/columns.h"
#include "terminal/screen.h"

/* the most that irqoff share prints */
#define SHARE_WIDTH	72
#define SHARE_LINES	20

struct alibi;
struct correlation;
struct cause;
struct causes;
struct fleet;
struct comparison;

/* what is printed, and how */
struct page {
	const struct model *model;
	const struct symbols *symbols;
	const struct causes *causes;	/* that are known; NULL: none are printed */
	const struct fleet *fleet;	/* whose captures are merged; NULL: one node */
	const struct rhythms *rhythms;	/* of a list that prints how regular its stalls are */
	struct screen screen;
	struct window window;
	struct columns columns;
	bool verbose;		/* of a report: all of the causes, stacks and further culprits */
	bool tight;		/* not even an example's stack has room */
	bool marks;		/* a class has one where only ends were seen, and a line on it */
	bool tree;		/* victims hang under the stall that they waited for */
	bool filtered;		/* a filter was given */
	const char *absent;	/* the CPUs that it lets pass, where there are no such; or NULL */
	bool unwatched;		/* none of the CPUs that it lets pass is watched */
	FILE *out;
};

/* a part of a page that is measured before it is printed */
struct part {
	struct page page;
	char *text;
	size_t size;
};

/* which causes and hints of classes were printed: once is enough */
struct told {
	bool *causes;		/* by row */
	unsigned int classes;
};

extern const struct column report_columns[];
extern const struct column list_columns[];
extern const struct column status_columns[];
extern const struct column correlate_columns[];

void text_report(const struct page *page, const struct summary *summary);
void text_stacks(const struct page *page, const struct stacks *stacks,
		 const struct summary *summary);
void text_fleet(const struct page *page, const struct summary *summary);
void text_compare(const struct page *page, const struct comparison *comparison);
void text_share(const struct page *page, struct summary *summary);
void text_list(const struct page *page, bool verbose);
void text_watch_head(const struct page *page);
void text_watch_line(const struct page *page, const struct entry *entry);
void text_causes(const struct page *page, const struct causes *causes);
void text_cause_whole(const struct page *page, const struct causes *causes,
		      const struct cause *cause);
void text_hist(const struct page *page, bool per_cpu);
void text_status(const struct page *page);
void text_alibi(const struct page *page, const struct alibi *alibi);
void text_correlate(const struct page *page, const struct correlation *correlation);
void text_delays(const struct page *page, const struct correlation *correlation);
void text_correlate_line(const struct page *page, const struct correlation *correlation, size_t i);

int report_select(struct columns *columns, unsigned int by, bool victims, const char *list);
int fleet_select(struct columns *columns, unsigned int by, bool victims, const char *list);
int cost_select(struct columns *columns, unsigned int by, bool fleet, bool packets,
		const char *list);
void compare_select(struct columns *columns, unsigned int by);
int list_select(struct columns *columns, const struct model *model, const char *list);
int watch_select(struct columns *columns, const char *list);
int correlate_select(struct columns *columns, const char *list);
int status_select(struct columns *columns, const struct model *model, const char *list);

/* parts that several of these print */
__printf(4, 5) void text_line(const struct page *page, unsigned int indent, unsigned int hang,
			      const char *format, ...);
const char *text_host(const struct machine *machine);
void text_head(const struct page *page);
void text_busy(const struct page *page);
const char *text_unwanted(char buf[CELL_LEN], __u64 kept);
void text_nothing(const struct page *page);
const char *text_shorten(char buf[CELL_LEN], const char *name, size_t most);
const char *text_watching(const struct config *config);
const char *text_then(const struct model *model);
const char *text_state(char buf[CELL_LEN], const struct model *model);
const char *text_clock(char buf[UNITS_LEN], const struct page *page, __u64 ns, bool ms);
const char *text_culprit(char buf[CELL_LEN], const struct entry *entry);
const char *text_step(char buf[SYMBOL_TEXT_LEN], const struct page *page,
		      const struct entry *entry, const struct tio_sample *sample,
		      const struct step *step);
void text_stack(const struct page *page, const struct entry *entry,
		const struct tio_sample *sample, const char *indent, unsigned int most);
const char *text_stack_note(const struct entry *entry);
const char *text_overwritten(char buf[CELL_LEN], __u64 lost);
const char *text_losses(char buf[CELL_LEN], const struct model *model);
void text_no_rates(const struct page *page);
const char *text_nested(__u64 total_ns, __u64 longest_ns);
const char *text_nodes(char buf[CELL_LEN], const struct page *page, const struct group *group);
const char *text_node(const struct page *page, const struct group *group);
const char *text_releases(char buf[CELL_LEN], const struct page *page, const struct group *group);
void text_groups(const struct page *page, const struct summary *summary);
void text_summary(const struct page *page, const struct summary *summary, unsigned int used);
void text_report_head(const struct page *page);
void text_footers(const struct page *page, const struct summary *summary, struct told *told);
void text_cause(const struct page *page, const struct cause *cause, const struct group *group,
		struct told *told);
void text_group_cause(const struct page *page, const struct summary *summary,
		      const struct group *group, struct told *told);
const char *text_task_place(char buf[CELL_LEN], const struct cgroup *cgroup);
char *text_met(const struct met *met, __u64 all_ns);
void part_begin(struct part *part, const struct page *page);
unsigned int part_end(struct part *part);
void part_drop(struct part *part);
void part_print(struct part *part, const struct page *page);
const char *text_part(char buf[UNITS_LEN], __u64 ns, __u64 all_ns);
void text_record(const struct page *page, const struct entry *entry);

void json_report(const struct page *page, const struct summary *summary);
void json_fleet(const struct page *page, const struct summary *summary);
void json_compare(const struct page *page, const struct comparison *comparison);
void json_stacks(const struct page *page, const struct stacks *stacks);
void json_list(const struct page *page);
void json_line(const struct page *page, const struct entry *entry);
void json_lines(const struct page *page);
char *json_flat(const struct page *page, const struct entry *entry, const struct cause *cause,
		bool strip);
void json_causes(const struct causes *causes, const bool *only, FILE *out);
void json_hist(const struct model *model, bool per_cpu, FILE *out);
void json_alibi(const struct page *page, const struct alibi *alibi);
void json_correlate(const struct correlation *correlation, FILE *out);
void json_correlate_line(const struct correlation *correlation, size_t i, FILE *out);
void json_status(const struct model *model, FILE *out);

#endif /* _IRQOFF_OUT_H */
