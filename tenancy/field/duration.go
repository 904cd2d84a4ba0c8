package field

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

var _ = Register(NewNumberLike(Info{
	Type: "duration", Place: 100, Title: "Duration", Description: "A number of seconds: 5400 is an hour and a half.",
	Keys: []Key{formatKey("h:mm", "h:mm:ss", "h:mm:ss.S", "h:mm:ss.SS", "h:mm:ss.SSS")}, Ask: AskDuration,
}, NumberRules{Seconds: true, Read: writtenDuration, Check: checkDuration, Show: showDuration}))

func checkDuration(_ *Config, x float64) error {
	if x < 0 {
		return errors.New("must be a number of seconds, 0 or more")
	}
	return nil
}

func showDuration(c *Config, x float64, shown *Shown) {
	sign, seconds := "", int64(math.Round(math.Abs(x)))
	if x < 0 && seconds > 0 { // where it is computed
		sign = "-"
	}
	shown.Text = fmt.Sprintf("%s%d:%02d", sign, seconds/3600, seconds/60%60)
	if strings.HasPrefix(c.Format, "h:mm:ss") {
		shown.Text += fmt.Sprintf(":%02d", seconds%60)
	}
}
