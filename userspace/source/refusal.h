/* SPDX-License-Identifier: GPL-2.0-only */
/* Says in the words of the command line why the module did not take a value. */
#ifndef _IRQOFF_REFUSAL_H
#define _IRQOFF_REFUSAL_H

#include "model/knob_words.h"
#include "model/model.h"

char *refusal_text(const struct knobs *knobs, const struct model *model, const char *rule);

#endif /* _IRQOFF_REFUSAL_H */
