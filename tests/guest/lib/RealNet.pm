# SPDX-License-Identifier: GPL-2.0-only
# Real stalls of the network (Real.pm says what the words mean).
package RealNet;
use strict;
use warnings;

our @stalls = (
	{
		name => 'IPv6 routes, device down',
		script => 'ip link set dummy0 up; routes dummy0 5000; again; ip link set dummy0 down',
		class => 'softirq-off',
		culprit => qr/^__fib6_clean_all$/,
		cause => 'ipv6-table-walk',
		source => 'net/ipv6/ip6_fib.c: it walks a table under its lock, and drops routes one by one',
		cheap => 1,
	},
	{
		name => 'neighbours, device down',
		script => 'ip link set dummy0 up; routes --neighbours dummy0 5000; again; ip link set dummy0 down',
		class => 'softirq-off',
		# __neigh_ifdown() takes the lock; pneigh_ifdown_and_unlock(), which it calls last, gives it back
		culprit => qr/^__neigh_ifdown$/,
		cause => 'neighbour-table-flush',
		source => 'net/core/neighbour.c: it flushes all of a table under its lock',
		cheap => 1,
	},
	{
		name => 'conntrack table resized',
		once => 'modprobe nf_conntrack_netlink
			echo 200000 > /proc/sys/net/netfilter/nf_conntrack_max
			flows 100000',
		script => 'again; echo 32768 > /sys/module/nf_conntrack/parameters/hashsize
			again; echo 65536 > /sys/module/nf_conntrack/parameters/hashsize',
		class => 'softirq-off',
		culprit => qr/^nf_conntrack_hash_resize \[nf_conntrack\]$/,
		cause => 'conntrack-resize',
		source => 'net/netfilter/nf_conntrack_core.c: it moves all entries with bottom halves off',
	},
	{
		name => 'nftables set flushed',
		once => 'awk "BEGIN {
				print \"table ip r {\\nset s {\\ntype ipv4_addr\\nflags interval\\nelements = {\"
				for (i = 0; i < 50000; i++)
					printf \"10.%d.%d.%d-10.%d.%d.%d,\n\", i / 6400, i / 25 % 256, i % 25 * 10,
						i / 6400, i / 25 % 256, i % 25 * 10 + 5
				print \"}\\n}\\n}\"
			}" > /tmp/set
			modprobe nf_tables',
		script => 'nft -f /tmp/set; again; nft flush set ip r s; nft delete table ip r',
		class => 'softirq-off',
		kernels => qr/^6\.1$/,
		culprit => qr/^nft_rbtree_walk \[nf_tables\]$/,
		cause => 'nftables-set-replacement',
		source => 'net/netfilter/nft_set_rbtree.c: it walks the whole set under read_lock_bh()',
	},
	{
		name => 'nftables, 50000 rules',
		once => 'awk "BEGIN {
				print \"table ip h {\\nchain c {\\ntype filter hook input priority 0\"
				for (i = 0; i < 50000; i++)
					printf \"ip saddr 10.%d.%d.1 drop\n\", i / 250, i % 250
				print \"}\\n}\"
			}" > /tmp/chain
			modprobe nf_tables
			nft -f /tmp/chain',
		script => 'again; packets 5',
		after => 'nft delete table ip h',
		class => 'softirq-long',
		culprit => qr/^nft_do_chain_ipv4 \[nf_tables\]$/,
		cause => 'long-rule-chain',
		source => 'net/netfilter/nft_chain_filter.c: nf_hook_slow() calls it for each packet',
	},
	{
		name => 'ipset flushed',
		once => 'modprobe ip_set_bitmap_ip
			awk "BEGIN {
				print \"create b bitmap:ip range 10.0.0.0/16 comment\"
				for (i = 0; i < 65536; i++)
					printf \"add b 10.0.%d.%d comment %d\n\", i / 256, i % 256, i
			}" > /tmp/ipset',
		script => 'ipset restore < /tmp/ipset; again; ipset flush b; ipset destroy b',
		class => 'softirq-off',
		# ip_set_flush_set() is static
		culprit => qr/^ip_set_flush(?:_set)? \[ip_set\]$/,
		cause => 'ipset-replacement',
		source => 'net/netfilter/ipset/ip_set_core.c: ip_set_flush_set() has a set emptied under its lock',
	},
	{
		name => 'iptables counters',
		once => 'awk "BEGIN {
				print \"*filter\"
				for (i = 0; i < 100000; i++)
					printf \"-A FORWARD -s 10.%d.%d.%d -j DROP\n\", i / 62500, i / 250 % 250, i % 250
				print \"COMMIT\"
			}" > /tmp/rules
			modprobe iptable_filter',
		script => 'again; iptables-legacy-restore < /tmp/rules',
		after => 'iptables-legacy -F',
		class => 'softirq-off',
		# later ones may lack iptables-legacy
		kernels => qr/^6\.1$/,
		least => 2,
		# do_add_counters() is static and called once
		culprit => qr/^do_(?:add_counters|ipt_set_ctl) \[ip_tables\]$/,
		cause => 'iptables-counters',
		source => 'net/ipv4/netfilter/ip_tables.c: iptables gives the rules back their counters, all with bottom halves off',
	},
	{
		name => 'bridge port goes',
		once => 'modprobe bridge
			awk "BEGIN {
				for (i = 0; i < 20000; i++)
					printf \"fdb add 02:00:00:%02x:%02x:01 dev dummy1 master static\n\", i / 256, i % 256
			}" > /tmp/fdb',
		script => 'ip link add dummy1 type dummy; ip link add br0 type bridge; ip link set dummy1 master br0
			bridge -batch /tmp/fdb; again; ip link set dummy1 nomaster; ip link del br0; ip link del dummy1',
		class => 'softirq-off',
		culprit => qr/^br_fdb_delete_by_port \[bridge\]$/,
		cause => 'bridge-port-flush',
		source => 'net/bridge/br_fdb.c: it drops all entries of a port under hash_lock',
	},
	{
		name => 'ip_vs sums up',
		once => 'awk "BEGIN {
				for (i = 0; i < 8000; i++) {
					service = sprintf(\"10.%d.%d.1:80\", i / 250, i % 250)
					printf \"-A -t %s -s rr\n\", service
				}
			}" > /tmp/services
			modprobe ip_vs
			ipvsadm -R < /tmp/services',
		script => 'again; sleep 5',
		after => 'ipvsadm -C',
		class => 'softirq-long',
		kernels => qr/^6\.1$/,
		culprit => qr/^estimation_timer \[ip_vs\]$/,
		cause => 'ip_vs-estimation',
		source => 'net/netfilter/ipvs/ip_vs_est.c: a timer walks all services',
	},
);

1;
