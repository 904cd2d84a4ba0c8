package problem

import (
	"slices"
	"strings"
)

// DidYouMean returns `, did you mean "x"?` for the candidate that is nearest to a misspelt word, or
// "" if none is near.
func DidYouMean(word string, candidates []string) string {
	best, bestDistance := "", 1+max(2, len(word)/3)
	for _, candidate := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(candidate)); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	if best == "" {
		return ""
	}
	return `, did you mean "` + best + `"?`
}

// LikelyMisspelling returns the candidate that a word probably misspells: at most two typing
// errors, and at most one per three letters. It returns "" if the word is a candidate or none is
// that near.
func LikelyMisspelling(word string, candidates []string) string {
	best, bestDistance := "", 3
	for _, candidate := range candidates {
		if word == candidate {
			return ""
		}
		d := distance(strings.ToLower(word), strings.ToLower(candidate))
		if d < bestDistance && 3*d <= len(candidate) && 3*d <= len(word) {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// distance is the number of single-byte edits, swaps of neighbours included, that turn a into b
// (optimal string alignment). Words are cut at 64 bytes because the input is not bounded.
func distance(a, b string) int {
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(b)]
}

// List joins names for a message, at most thirty of them.
func List(names []string) string {
	const most = 30
	if len(names) == 0 {
		return "(none)"
	}
	if len(names) > most {
		return strings.Join(slices.Concat(names[:most], []string{"…"}), ", ")
	}
	return strings.Join(names, ", ")
}
