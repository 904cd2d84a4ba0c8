package query

import (
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
)

// Totals are exact and are not counted again for every page. Each writer adds what it did to
// schema.CountRelation in its own transaction: the number of records gained or lost, and one for the
// write itself. A page's statement reads the sums of both in its own snapshot. The sum of records is
// the total of an unfiltered list. The sum of writes is a stamp: two snapshots of one database with the
// same stamp have the same rows of the table, because the transactions visible to one snapshot always
// include those visible to the other, and each write raises the stamp. So the total of a filter stays
// valid as long as the stamp does. See docs/decisions/0011-totals.md.

// A totalKey identifies a list: the table at a version of its schema, and its conditions with their
// arguments.
type totalKey struct {
	table   uuid.UUID
	version int64
	demand  string // Plan.Demand, which names the versions of other tables
	digest  [2]uint64
}

type stampedTotal struct {
	writes, total int64
}

// Sizes of a cache of totals.
const (
	maxTotals = 16384
	maxSeries = 256 // up to 50 KB each
)

// A TotalCache keeps totals of filtered lists, each with the stamp with which it is valid. It is safe
// for concurrent use.
type TotalCache struct {
	totals *lru.Cache[totalKey, stampedTotal]
	series *lru.Cache[totalKey, *rangeTotals]
	past   *lru.Cache[pastKey, int64] // numbers of all records
}

type pastKey struct {
	table   uuid.UUID
	version int64 // of its schema, which the purging of a record raises
	moment  changelog.Moment
}

// Past returns the number of records of a table at a moment, if it is known. That of a person who does not read all
// of them never is.
func (t *TotalCache) Past(p *Past) (total int64, known bool) {
	if p.now.Rows() != nil {
		return 0, false
	}
	return t.past.Get(pastKey{p.now.ID, p.now.Version, p.Moment})
}

// AddPast stores the number of records of a table at a moment.
func (t *TotalCache) AddPast(p *Past, total int64) {
	if p.now.Rows() != nil {
		return
	}
	t.past.Add(pastKey{p.now.ID, p.now.Version, p.Moment}, total)
}

// NewTotalCache returns an empty cache.
func NewTotalCache() *TotalCache {
	totals, err := lru.New[totalKey, stampedTotal](maxTotals)
	if err != nil {
		panic(err) // the size is positive
	}
	series, err := lru.New[totalKey, *rangeTotals](maxSeries)
	if err != nil {
		panic(err) // the size is positive
	}
	past, err := lru.New[pastKey, int64](maxTotals)
	if err != nil {
		panic(err) // the size is positive
	}
	return &TotalCache{totals, series, past}
}

var digestSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// digest hashes the text of conditions and their arguments, to 128 bits so that two lists never
// share a total.
func digest(text string, args []any) [2]uint64 {
	whole := fmt.Appendf(nil, "%s\x00%#v", text, args)
	return [2]uint64{maphash.Bytes(digestSeeds[0], whole), maphash.Bytes(digestSeeds[1], whole)}
}

// stampOf selects the records and writes of the tables whose numbers are in the placeholder tables; the
// records are only those of the table in the other placeholder.
func stampOf(counts, table, tables string) string {
	return strings.NewReplacer("{counts}", counts, "{table}", table, "{tables}", tables).Replace(
		`select coalesce(sum(c.records) filter (where c.table_number = {table}), 0)::bigint as records,
		coalesce(sum(c.writes), 0)::bigint as writes
		from {counts} c where c.table_number = any ({tables}::integer[])`)
}
