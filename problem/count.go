package problem

import "strconv"

// Count writes the number of objects with a regular plural in English: "1 record", "2 records".
func Count(n int, object string) string {
	if n == 1 {
		return "1 " + object
	}
	return strconv.Itoa(n) + " " + object + "s"
}
