package field

import (
	"fmt"
	"math"
	"strings"
)

var _ = Register(NewNumberLike(Info{
	Type: "rating", Place: 90, Title: "Rating", Description: "A whole number of stars, from 1.",
	Keys: []Key{maxKey, iconKey}, Ask: AskRating,
}, NumberRules{Check: checkRating, Show: showRating}))

// MaxRating is the highest rating of a field.
func (f *Field) MaxRating() int { return maxRating(&f.Config) }

func maxRating(c *Config) int {
	if c.Max == 0 {
		return 5
	}
	return c.Max
}

func checkRating(c *Config, x float64) error {
	if most := maxRating(c); x != math.Trunc(x) || x < 1 || x > float64(most) {
		return fmt.Errorf("must be a whole number from 1 to %d", most)
	}
	return nil
}

func showRating(c *Config, x float64, shown *Shown) {
	most := maxRating(c)
	full := min(most, max(0, int(x)))
	shown.Text, shown.AlignRight = strings.Repeat("★", full)+strings.Repeat("☆", most-full), false
}
