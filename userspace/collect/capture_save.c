// SPDX-License-Identifier: GPL-2.0-only
#include "capture/capture_devices.h"
#include "capture/capture_meta.h"
#include "capture/capture_names.h"
#include "capture/capture_texts.h"
#include "capture/strip.h"
#include "collect/capture_save.h"

static void put_records(struct capture_writer *writer, const struct messages *messages, bool strip)
{
	const struct nlmsghdr *message = NULL;

	if (!strip) {
		capture_put_all(writer, messages, TRACE_IRQOFF_CMD_RECORD_GET);
		return;
	}
	while ((message = messages_next(messages, TRACE_IRQOFF_CMD_RECORD_GET, message)))
		strip_put(writer, message);
}

/**
 * capture_save() - write a capture
 * @collection: what was read of the module, all records of it
 * @messages: the same as it was received
 * @netns: network namespaces whose counters are wanted, too
 * @strip: leave out who the node and its tasks are; the records have no addresses then
 * @out: where to
 *
 * All that records need comes before them, so that a capture that is cut off can be read.
 *
 * Return: false where something could not be written.
 */
bool capture_save(const struct collection *collection, const struct messages *messages,
		  const struct netns *netns, bool strip, FILE *out)
{
	struct capture_writer *writer = capture_writer(out);
	const struct model *model = &collection->model;

	capture_put_meta(writer, model, strip, NULL);
	capture_put_clock(writer, model->config.now_ns, model->config.realtime_ns);
	capture_end_frame(writer);
	capture_put_all(writer, messages, TRACE_IRQOFF_CMD_CONFIG_GET);
	capture_put_all(writer, messages, TRACE_IRQOFF_CMD_COUNTER_GET);
	capture_put_all(writer, messages, TRACE_IRQOFF_CMD_HISTOGRAM_GET);
	capture_put_texts(writer, netns, strip);
	capture_put_devices(writer, "");
	capture_end_frame(writer);
	capture_put_names(writer, collection->symbols, model, 0, NULL);
	if (!strip)
		capture_put_cgroups(writer, collection->cgroups, NULL);
	capture_end_frame(writer);
	put_records(writer, messages, strip);
	capture_end_frame(writer);
	capture_put_end(writer, NULL);
	return capture_writer_close(writer);
}
