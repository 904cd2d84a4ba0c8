package problem

import "strconv"

// Count writes how many there are of something that has a regular plural in English: "1 record", "2 records".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
