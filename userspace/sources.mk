# SPDX-License-Identifier: GPL-2.0-only
# For the Makefiles that compile the reader: its folders, and irqoff export's formats of protobuf where protobuf-c, its compiler and
# zlib are installed. Without them, or with PROTOBUF=0, irqoff says that it was built without. $(reader) is the path of this directory.
#
# A folder uses what stands before it, and nothing that stands behind it (tests/host/layers.t). CONTRIBUTING.md has a line on each.
folders := base terminal model names source capture judge collect group causes alibi replies correlate \
	output output/text output/json output/export agent cli

PROTOBUF ?= $(shell command -v protoc-c > /dev/null && $(PKG_CONFIG) --exists libprotobuf-c zlib && echo 1)
ifeq ($(PROTOBUF),1)
packages += libprotobuf-c zlib
protobuf_generated := proto/profile.pb-c.c proto/perfetto_trace.pb-c.c
protobuf_left_out := $(reader)/output/export/out_protobuf_none.c
override CPPFLAGS += -Iproto
else
protobuf_left_out := $(addprefix $(reader)/output/export/,out_pprof.c out_perfetto.c gzip.c)
endif

# the sources of the reader that are compiled here; no two have one name
reader_sources := $(filter-out $(protobuf_left_out),$(foreach folder,$(folders),$(wildcard $(reader)/$(folder)/*.c)))

# whole at once, because programs of several tests are made at the same time
proto/%.pb-c.c: $(reader)/proto/%.proto
	@mkdir -p proto
	$(Q)new=$$(mktemp -d proto/new-XXXXXX) && protoc-c --proto_path=$(<D) --c_out=$$new $< && \
		mv $$new/$*.pb-c.h $$new/$*.pb-c.c proto && rmdir $$new
