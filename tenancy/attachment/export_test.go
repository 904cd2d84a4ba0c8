package attachment

import "time"

// At makes the links believe in another time.
func (l *Links) At(now time.Time) *Links {
	bound := *l
	bound.now = func() time.Time { return now }
	return &bound
}
