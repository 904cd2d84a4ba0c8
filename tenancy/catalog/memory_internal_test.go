package catalog

import (
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestSnapshotsThatWereNotUsedGoWhenThereAreManyObjects(t *testing.T) {
	t.Parallel()
	m := newMemory(100)
	snapshot := func(org byte, version int64, size int) *schema.Snapshot {
		s := newSnapshot(uuid.UUID{org}, db.Topology{})
		s.Version = version
		s.AddBase(&schema.Base{})
		s.AddTable(uuid.Nil, &schema.Table{})
		for i := range size - 1 {
			s.AddField(uuid.Nil, &schema.Field{ID: uuid.UUID{org, byte(i)}})
		}
		return s
	}
	for org := range byte(4) {
		m.keep(snapshot(org, 1, 25))
	}
	if m.cache.Len() != 4 || m.objects.Load() != 100 {
		t.Fatalf("%d snapshots of %d", m.cache.Len(), m.objects.Load())
	}
	m.cache.Get(uuid.UUID{0}) // so 1 and 2 are the oldest
	m.keep(snapshot(3, 2, 60))
	if m.cache.Contains(uuid.UUID{1}) || m.cache.Contains(uuid.UUID{2}) || !m.cache.Contains(uuid.UUID{0}) ||
		m.objects.Load() != 85 {
		t.Errorf("kept %v, %d", m.cache.Keys(), m.objects.Load())
	}
	m.keep(snapshot(3, 1, 1)) // an older one changes nothing
	if m.objects.Load() != 85 {
		t.Errorf("%d after an older one", m.objects.Load())
	}
	m.keep(snapshot(5, 1, 200)) // one that is too large alone is kept alone
	if m.cache.Len() != 1 || m.objects.Load() != 200 {
		t.Errorf("kept %v, %d", m.cache.Keys(), m.objects.Load())
	}
	m.cache.Remove(uuid.UUID{5})
	if m.objects.Load() != 0 {
		t.Errorf("%d of none", m.objects.Load())
	}
}
