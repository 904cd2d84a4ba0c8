package main

import "testing"

func TestTheHeapIsCollectedAtTheFloorOrAtTwiceWhatIsAlive(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{0: 1000, 1 << 20: 1000, 16 << 20: 400, 64 << 20: 100, 1 << 30: 100} {
		if got := percentFor(live); got != want {
			t.Errorf("with %d bytes alive: %d %%, want %d", live, got, want)
		}
	}
}
