// Package longdate writes days with the names of months, in languages other than English, which package time writes.
package longdate

import (
	"fmt"
	"time"
)

var (
	german = [...]string{
		"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
		"Dezember",
	}
	french = [...]string{
		"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
		"décembre",
	}
)

// GermanMonth returns the German name of the month of a day.
func GermanMonth(day time.Time) string { return german[day.Month()-1] }

// FrenchMonth returns the French name of the month of a day.
func FrenchMonth(day time.Time) string { return french[day.Month()-1] }

// German writes a day in German, without its year.
func German(day time.Time) string { return fmt.Sprintf("%d. %s", day.Day(), GermanMonth(day)) }

// French writes a day in French, without its year.
func French(day time.Time) string {
	number := fmt.Sprint(day.Day())
	if day.Day() == 1 {
		number = "1er"
	}
	return number + " " + FrenchMonth(day)
}
