package record

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Totals are exact and are not counted anew for every page. Each writer adds what it did to rowhouse.record_count in its own
// transaction: the number of records gained or lost, and one for the write itself. A page's statement reads the sum of both in
// its own snapshot. The records are the total of an unfiltered list. The writes are a stamp: two snapshots of one database
// with the same stamp hold the same rows of the table, since the transactions that one of them sees are always
// a part of those that the other sees, and each write raises the stamp. So a total that was counted for a filter is good for as
// long as the stamp stays. See docs/decisions/0011-totals.md.

// A totalKey names a list: the table at a version of its schema, and its conditions with their arguments.
type totalKey struct {
	table   uuid.UUID
	version int64
	digest  [2]uint64
}

type stampedTotal struct {
	writes, total int64
}

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// digest hashes the text of conditions and their arguments, to 128 bits so that two lists never share a total.
func digest(text string, args []any) [2]uint64 {
	whole := fmt.Appendf(nil, "%s\x00%#v", text, args)
	return [2]uint64{maphash.Bytes(seeds[0], whole), maphash.Bytes(seeds[1], whole)}
}

// countWrite queues the bookkeeping of a write that gains delta records in table, and changes what lists of the others show. It
// must be the last statement of its transaction.
func countWrite(b *pgx.Batch, table *schema.Table, delta int, others []int32) {
	if len(others) == 0 {
		b.Queue(counting(1), table.Org, table.Number, delta)
		return
	}
	// In the order of their numbers, so that two writers never wait for each other.
	numbers := slices.Sorted(slices.Values(append([]int32{table.Number}, others...)))
	b.Queue(`insert into rowhouse.record_count as c (org_id, table_number, slot, records, writes)
		select $1, n, `+db.Slot+`, case n when $2 then $3 else 0 end, 1 from unnest($4::integer[]) n order by n
		on conflict (org_id, table_number, slot) do update set records = c.records + excluded.records, writes = c.writes + 1`,
		table.Org, table.Number, delta, slices.Compact(numbers))
}

// counting is the statement by which a write of one table counts itself. Its organization, the table's number and the records gained are in the
// placeholders from the given one on. As a data-modifying WITH of the write, to which nobody refers, it comes last too.
func counting(placeholder int) string {
	org, number, delta := "$"+strconv.Itoa(placeholder), "$"+strconv.Itoa(placeholder+1), "$"+strconv.Itoa(placeholder+2)
	return "insert into rowhouse.record_count as c (org_id, table_number, slot, records, writes) values (" + org + ", " + number + ", " + db.Slot +
		", " + delta + ", 1) on conflict (org_id, table_number, slot) do update set records = c.records + excluded.records, writes = c.writes + 1"
}

// linkedNumbers lists the tables whose lists show something of this table's records: those linked with it.
func linkedNumbers(s *schema.Snapshot, t *schema.Table) []int32 {
	var numbers []int32
	for _, f := range t.Fields {
		if f.Link == nil {
			continue
		}
		if linked := s.Table(f.Link.LinkedTable); linked != nil && linked != t && !slices.Contains(numbers, linked.Number) {
			numbers = append(numbers, linked.Number)
		}
	}
	return numbers
}

// stampOf selects the records and writes of the tables whose numbers are in the placeholder; the records are those of the
// table in the other placeholder.
func stampOf(org, table, tables string) string {
	return strings.NewReplacer("{org}", org, "{table}", table, "{tables}", tables).Replace(
		`select coalesce(sum(c.records) filter (where c.table_number = {table}), 0)::bigint as records, coalesce(sum(c.writes), 0)::bigint as writes
		from rowhouse.record_count c where c.org_id = {org} and c.table_number = any ({tables}::integer[])`)
}
