package schema

import (
	"testing"

	"github.com/google/uuid"
)

func TestSnapshotsThatWereNotUsedGoWhenThereAreManyNouns(t *testing.T) {
	t.Parallel()
	m := newMemory(100)
	snapshot := func(org byte, version int64, fields int) *Snapshot {
		s := empty(uuid.UUID{org})
		s.Version = version
		for i := range fields {
			s.fields[uuid.UUID{org, byte(i)}] = &Field{}
		}
		return s
	}
	for org := range byte(4) {
		m.keep(snapshot(org, 1, 25))
	}
	if m.cache.Len() != 4 || m.nouns.Load() != 100 {
		t.Fatalf("%d snapshots of %d", m.cache.Len(), m.nouns.Load())
	}
	m.cache.Get(uuid.UUID{0}) // so 1 and 2 are the oldest
	m.keep(snapshot(3, 2, 60))
	if m.cache.Contains(uuid.UUID{1}) || m.cache.Contains(uuid.UUID{2}) || !m.cache.Contains(uuid.UUID{0}) ||
		m.nouns.Load() != 85 {
		t.Errorf("kept %v, %d", m.cache.Keys(), m.nouns.Load())
	}
	m.keep(snapshot(3, 1, 1)) // an older one changes nothing
	if m.nouns.Load() != 85 {
		t.Errorf("%d after an older one", m.nouns.Load())
	}
	m.keep(snapshot(5, 1, 200)) // one that is too large alone is kept alone
	if m.cache.Len() != 1 || m.nouns.Load() != 200 {
		t.Errorf("kept %v, %d", m.cache.Keys(), m.nouns.Load())
	}
	m.cache.Remove(uuid.UUID{5})
	if m.nouns.Load() != 0 {
		t.Errorf("%d of none", m.nouns.Load())
	}
}
