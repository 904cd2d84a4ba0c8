package account

import (
	"strings"
	"unicode/utf8"

	zxcvbn "github.com/ccojocar/zxcvbn-go"
	"github.com/ccojocar/zxcvbn-go/match"
	"github.com/ccojocar/zxcvbn-go/matching"
	"github.com/ccojocar/zxcvbn-go/scoring"

	"github.com/rowhouse/rowhouse/authz/account/breach"
	"github.com/rowhouse/rowhouse/problem"
)

const (
	// MinPassword and MaxPassword bound a password's length, in characters.
	MinPassword = breach.MinLength
	MaxPassword = 200

	// minScore is zxcvbn's score 3 of 4: more than 10^10 guesses, which is infeasible even against
	// stolen hashes, because they are slow.
	minScore = 3
	// estimatedLength is how many characters at either end zxcvbn examines, because its time grows
	// faster than the length. A strong part makes the whole password strong.
	estimatedLength = 32
	// maxLeet is how many distinct leet characters (such as 1 for i or l) zxcvbn may substitute,
	// because its time doubles with each. Real words use fewer, so passwords with more are
	// estimated without substitution.
	maxLeet = 6
)

// checkNewPassword returns an error of kind invalid at path for a password that is too weak for the
// person with this name and address. The message gives the reason.
func checkNewPassword(path, password, name, email string) error {
	n := utf8.RuneCountInString(password)
	switch {
	case !utf8.ValidString(password) || strings.ContainsRune(password, 0):
		return problem.Invalid(path, "must be valid UTF-8")
	case n < MinPassword:
		return problem.Invalid(path, "must be at least %d characters long; several words make a good one", MinPassword)
	case n > MaxPassword:
		return problem.Invalid(path, "must be at most %d characters long", MaxPassword)
	}
	own := personalWords(name, email)
	for _, word := range own {
		if strings.EqualFold(password, word) {
			return problem.Invalid(path, "must not be your name or address")
		}
	}
	if breach.Contains(password) {
		return problem.Invalid(path, "is one of the 100,000 passwords that are found most often in data breaches, "+
			"so it is among the first that anybody tries; several words that do not belong together make a good one")
	}
	if reason := weakness(password, own); reason != "" {
		return problem.Invalid(path,
			"is easy to guess: %s; several words that do not belong together make a good one", reason)
	}
	return nil
}

// personalWords returns the words that add no strength to a password, because they belong to the
// person or the service.
func personalWords(name, email string) []string {
	local, domain, _ := strings.Cut(email, "@")
	host, _, _ := strings.Cut(domain, ".")
	parts := strings.FieldsFunc(local, func(c rune) bool { return strings.ContainsRune(".-_+", c) })
	words := append(append(strings.Fields(name), parts...), name, email, local, host, "rowhouse")
	kept := words[:0]
	for _, word := range words {
		if len(word) > 1 && len(word) <= MaxPassword {
			kept = append(kept, word)
		}
	}
	return kept
}

// weakness returns the reason why zxcvbn considers a password weak, or "" for a strong one.
func weakness(password string, own []string) string {
	first, last := cutRunes(password, estimatedLength, false), cutRunes(password, estimatedLength, true)
	verdict := estimateStrength(first, own)
	if verdict.Score < minScore && last != first {
		if other := estimateStrength(last, own); other.Score > verdict.Score {
			verdict = other
		}
	}
	if verdict.Score >= minScore {
		return ""
	}
	return describeWeakness(verdict)
}

func estimateStrength(password string, own []string) scoring.MinEntropyMatch {
	kinds := map[rune]bool{}
	for _, c := range password {
		if strings.ContainsRune("4@8({[<369&#!1/|0$5+7%2", c) {
			kinds[c] = true
		}
	}
	if len(kinds) > maxLeet {
		return zxcvbn.PasswordStrength(password, own, matching.FilterL33tMatcher)
	}
	return zxcvbn.PasswordStrength(password, own)
}

// describeWeakness describes the longest weak part of a password.
func describeWeakness(verdict scoring.MinEntropyMatch) string {
	var widest match.Match
	words := 0
	for _, m := range verdict.MatchSequence {
		if m.Pattern == "dictionary" {
			words++
		}
		if m.Pattern != "bruteforce" && len(m.Token) > len(widest.Token) {
			widest = m
		}
	}
	switch {
	case widest.DictionaryName == "user_inputs":
		return "it is made of your own name or address, or of the name of this service"
	case widest.Pattern == "dictionary" && words > 1:
		return "it is made of few and common words"
	case widest.Pattern == "dictionary":
		return "it is a common word or password with a few characters added"
	case widest.Pattern == "spatial":
		return "its characters are neighbours on the keyboard"
	case widest.Pattern == "repeat":
		return "it repeats the same characters"
	case widest.Pattern == "sequence":
		return "its characters follow one another, as in abc or 123"
	case widest.Pattern == "date":
		return "it is a date with a few characters added"
	}
	return "it is too short for what it is made of"
}

func cutRunes(s string, n int, fromEnd bool) string {
	runes := []rune(s)
	switch {
	case len(runes) <= n:
		return s
	case fromEnd:
		return string(runes[len(runes)-n:])
	}
	return string(runes[:n])
}
