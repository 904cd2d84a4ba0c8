package catalog_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// classes makes groups of people, each of which does not see one field of a table, and returns the people.
func classes(t testing.TB, b *bundle, groups, each int) []schema.Subject {
	t.Helper()
	fields := []catalog.FieldSpec{{Name: "Name", Type: "text"}}
	for i := range groups {
		fields = append(fields, catalog.FieldSpec{Name: fmt.Sprint("Field ", i), Type: "number"})
	}
	table := b.table(t, "Wide", fields...).ID
	var people []schema.Subject
	rule := catalog.TableRule{Fields: map[uuid.UUID]catalog.FieldRule{}}
	all := make([]uuid.UUID, groups)
	for i := range groups {
		var members []uuid.UUID
		for range each {
			person := tenancytest.Person(t, b.db)
			if err := tenancytest.Join(t, b.db, b.org, person, organization.Viewer); err != nil {
				t.Fatal(err)
			}
			members = append(members, person)
			people = append(people, schema.Subject{Person: person, Role: organization.Viewer})
		}
		group, err := b.store.CreateGroup(t.Context(), b.org, fmt.Sprint("Group ", i), members)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = group.ID
	}
	for i, f := range b.fresh(t).Table(table).Fields[1:] {
		var others []uuid.UUID
		for j, group := range all {
			if j != i {
				others = append(others, group)
			}
		}
		rule.Fields[f.ID] = catalog.FieldRule{
			Actions: map[string]*schema.Audience{"read": {Groups: others}},
		}
	}
	if err := b.store.SetTablePermissions(t.Context(), b.org, table, rule); err != nil {
		t.Fatal(err)
	}
	return people
}

// People with the same rights share a snapshot, so that memory grows by their rights and not by their number.
func TestPeopleWithTheSameRightsShareASnapshot(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people, snapshot, seen := classes(t, b, 4, 5), b.fresh(t), map[*schema.Snapshot]int{}
	for _, person := range people {
		seen[snapshot.For(person)]++
	}
	if len(seen) != 4 {
		t.Fatalf("twenty people of four groups have %d snapshots", len(seen))
	}
	for one, count := range seen {
		if fields := len(one.Base(b.base.ID).Tables[0].Fields); count != 5 || fields != 4 {
			t.Errorf("%d people share a snapshot with %d fields", count, fields)
		}
	}
}

// BenchmarkAccessClasses reports the memory of snapshots of 50 groups of people, when one person of each has come, and
// when twenty have.
func BenchmarkAccessClasses(bench *testing.B) {
	b := setup(bench)
	people, snapshot := classes(bench, b, 50, 20), b.fresh(bench)
	var before, one, all runtime.MemStats
	for bench.Loop() {
		bench.StopTimer()
		runtime.GC()
		runtime.ReadMemStats(&before)
		for i := 0; i < len(people); i += 20 {
			snapshot.For(people[i])
		}
		runtime.GC()
		runtime.ReadMemStats(&one)
		for _, person := range people {
			snapshot.For(person)
		}
		runtime.GC()
		runtime.ReadMemStats(&all)
		bench.StartTimer()
	}
	bench.ReportMetric(float64(one.HeapAlloc-before.HeapAlloc)/1024, "KB/50people")
	bench.ReportMetric(float64(all.HeapAlloc-before.HeapAlloc)/1024, "KB/1000people")
	runtime.KeepAlive(snapshot)
}
