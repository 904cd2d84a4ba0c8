package attachment

import "time"

// At returns links with a fixed current time.
func (l *Links) At(now time.Time) *Links {
	bound := *l
	bound.now = func() time.Time { return now }
	return &bound
}
