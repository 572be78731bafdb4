// SPDX-License-Identifier: GPL-2.0-only
#include "correlate/correlate.h"
#include "output/json/out_json.h"

static struct json_object *suspect_object(const struct candidate *suspect)
{
	struct json_object *object = json_object_new_object();
	char time[UNITS_LEN];

	put_text(object, "record", suspect->name);
	put_number(object, "cpu", suspect->cpu);
	put_text(object, "kind", suspect->soft ? "soft" : "hard");
	put_text(object, "class", tio_class_name(suspect->class));
	put_text(object, "culprit", suspect->culprit);
	put_text(object, "busy_in", suspect->busy_in);
	put_text(object, "behalf", suspect->behalf);
	put_text(object, "cause", suspect->cause);
	put_text(object, "time", print_iso8601(time, suspect->end_ns));
	put_number(object, "end_realtime_ns", suspect->end_ns);
	put_number(object, "min_ns", suspect->min_ns);
	put_number(object, "max_ns", suspect->max_ns);
	return object;
}

/* null where it is not known */
static void put_growth(struct json_object *object, const char *key, const struct net_value *value)
{
	put(object, key, value->known ? json_number(value->value) : NULL);
}

static struct json_object *losses_object(const struct net_drops *losses)
{
	struct json_object *object = json_object_new_object();

	for (unsigned int i = 0; i < NET_COUNTERS; i++)
		put_growth(object, net_counter_word(i), &losses->net[i]);
	put_growth(object, "softnet_dropped", &losses->backlog);
	put_text(object, "cause", net_drops_cause(losses));
	return object;
}

static void put_node(struct json_object *object, const struct machine *machine)
{
	put_text(object, "node", machine && *machine->host ? machine->host : NULL);
}

static const struct machine *machine_of(const struct correlation *correlation,
					const struct finding *finding)
{
	if (finding->suspect)
		return &correlation->nodes[finding->suspect->node].machine;
	return finding->node ? &finding->node->machine : NULL;
}

static struct json_object *reply_object(const struct correlation *correlation, size_t i)
{
	struct json_object *object = json_object_new_object();
	const struct slow *slow = &correlation->slows.all[i];
	const struct finding *finding = &correlation->findings[i];
	const struct reply *reply = slow->reply;

	if (correlation->names)
		put_text(object, "log",
			 log_name(correlation->names, reply - correlation->replies->all));
	put_number(object, "line", reply->line);
	put_text(object, "target", correlation->replies->targets[reply->target]);
	put_number(object, "seq", reply->seq);
	put_number(object, "sent_realtime_ns", reply->sent_ns);
	put(object, "latency_ns",
	    reply->lost ? NULL : json_number(reply->came_ns - reply->sent_ns));
	put_bool(object, "lost", reply->lost && !reply->untold);
	put(object, "train", reply->lost ? NULL : json_number(slow->train));
	put_text(object, "verdict", correlate_word(finding->verdict));
	put_node(object, machine_of(correlation, finding));
	put(object, "stall", finding->suspect ? suspect_object(finding->suspect) : NULL);
	put_number(object, "covered_ns", finding->covered_ns);
	put_bool(object, "several_cpus", finding->together);
	put(object, "sent_again_s", finding->resent_s ? json_number(finding->resent_s) : NULL);
	put_bool(object, "probable", finding->probable);
	put(object, "counted", finding->losses ? losses_object(finding->losses) : NULL);
	put(object, "over_ns", finding->over_ns ? json_number(finding->over_ns) : NULL);
	put_text(object, "why", finding->why);
	put_text(object, "remedy", finding->remedy);
	return object;
}

static struct json_object *node_object(const struct correlate_node *node)
{
	struct json_object *object = json_object_new_object();

	put_text(object, "host", *node->machine.host ? node->machine.host : NULL);
	put_text(object, "boot_id", *node->machine.boot_id ? node->machine.boot_id : NULL);
	put_text(object, "kernel", *node->machine.release ? node->machine.release : NULL);
	put_text(object, "cpus_how", node->how);
	return object;
}

static struct json_object *clock_object(const struct log_clock *clock)
{
	struct json_object *object = json_object_new_object();

	put_text(object, "how", log_clock_word(clock->how));
	put(object, "offset_ns", json_object_new_int64(clock->offset_ns));
	put(object, "drift_ppm", json_object_new_double(clock->drift * 1e6));
	put_number(object, "error_ns", clock->error_ns);
	put_bool(object, "doubted", clock->doubted);
	put_number(object, "trains_fit", clock->fit.matched);
	put_number(object, "trains_fit_otherwise", clock->fit.rival);
	return object;
}

static struct json_object *delay_object(const struct correlation *correlation,
					const struct delay *delay)
{
	struct json_object *object = json_object_new_object();
	const struct candidate *suspect = delay->suspect;

	put_text(object, "culprit", suspect->culprit);
	put_text(object, "class", tio_class_name(suspect->class));
	put_node(object, &correlation->nodes[suspect->node].machine);
	put_text(object, "behalf", suspect->behalf);
	put_text(object, "cause", suspect->cause);
	put_number(object, "replies", delay->replies);
	put_number(object, "delay_ns", delay->all_ns);
	put_number(object, "longest_ns", delay->longest_ns);
	return object;
}

static struct json_object *chance_object(const struct correlation *correlation)
{
	struct json_object *object = json_object_new_object();

	const struct chance *chance = &correlation->chance;

	put(object, "mean", chance->known ? json_object_new_double(chance->mean) : NULL);
	put(object, "p95", chance->known ? json_number(chance->most) : NULL);
	put_number(object, "shifts", CHANCE_SHIFTS);
	return object;
}

static struct json_object *verdicts_object(const struct correlation *correlation)
{
	struct json_object *object = json_object_new_object();

	for (unsigned int i = 0; i < CORRELATE_VERDICTS; i++)
		put_number(object, correlate_word(i), correlation->counts[i]);
	return object;
}

static struct json_object *ignored_object(const struct replies *replies)
{
	struct json_object *object = json_object_new_object();

	put_text(object, "log", replies->ignored_log);
	put_number(object, "line", replies->first_ignored);
	put_text(object, "text", replies->ignored_text);
	return object;
}

/**
 * json_correlate() - each slow reply with its verdict, for programs
 * @correlation: the verdicts
 * @out: where to
 */
void json_correlate(const struct correlation *correlation, FILE *out)
{
	struct json_object *object = json_object_new_object();
	struct json_object *nodes = json_object_new_array();
	struct json_object *delays = json_object_new_array();
	struct json_object *replies = json_object_new_array();

	put_number(object, "schema_version", JSON_SCHEMA_VERSION);
	put_number(object, "replies_read",
		   correlation->replies->count - correlation->replies->lost -
		   correlation->replies->untold);
	put_number(object, "replies_missing", correlation->replies->lost);
	put_number(object, "replies_untold", correlation->replies->untold);
	put_number(object, "lines_ignored", correlation->replies->ignored);
	put(object, "first_ignored",
	    correlation->replies->ignored ? ignored_object(correlation->replies) : NULL);
	put_number(object, "over_ns", correlation->slows.over_ns);
	put_number(object, "slow", correlation->slows.count);
	put_number(object, "explained", correlate_explained(correlation));
	put(object, "chance", chance_object(correlation));
	put(object, "verdicts", verdicts_object(correlation));
	put(object, "clock", clock_object(&correlation->clock));
	for (unsigned int i = 0; i < correlation->nnodes; i++)
		json_object_array_add(nodes, node_object(&correlation->nodes[i]));
	put(object, "nodes", nodes);
	for (size_t i = 0; i < correlation->ndelays; i++)
		json_object_array_add(delays, delay_object(correlation, &correlation->delays[i]));
	put(object, "culprits", delays);
	for (size_t i = 0; i < correlation->slows.count; i++)
		json_object_array_add(replies, reply_object(correlation, i));
	put(object, "replies", replies);
	json_finish(object, out);
}

/**
 * json_correlate_line() - a slow reply, as an object on a line
 * @correlation: has its verdict
 * @i: its index
 * @out: where to
 */
void json_correlate_line(const struct correlation *correlation, size_t i, FILE *out)
{
	struct json_object *object = reply_object(correlation, i);

	fprintf(out, "%s\n", json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
							    JSON_C_TO_STRING_NOSLASHESCAPE));
	fflush(out);
	json_object_put(object);
}
