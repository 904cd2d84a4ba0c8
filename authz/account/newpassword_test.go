package account

import (
	"strings"
	"testing"
	"time"
)

func TestWeakPasswordIsRejectedWithAReason(t *testing.T) {
	t.Parallel()
	for password, want := range map[string]string{
		"qwertyuiop":                    "data breaches",
		"nikita2003":                    "data breaches", // about the 50,000th of the list
		"PASSWORD123":                   "data breaches",
		"Sunshine2024!":                 "common word",
		"mydogismybest":                 "few and common words",
		"P@ssw0rd-1!":                   "common word",
		"aaaaaaaaaaab":                  "repeats",
		"hijklmnopqrs":                  "follow one another",
		"kari.nordmann7":                "own name",
		"nordmann rowhouse":             "own name",
		"Kari Nordmann":                 "must not be your name",
		"kari.nordmann@example.com":     "must not be your name",
		"short":                         "at least 10 characters",
		strings.Repeat("abcde", 50):     "at most 200",
		strings.Repeat("aaaaaaaaaa", 9): "repeats",
	} {
		err := checkNewPassword("password", password, "Kari Nordmann", "kari.nordmann@example.com")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", password, err, want)
		}
	}
	for _, password := range []string{
		"seven calm houses", "correct horse battery", "Xq7#pv9Lw2!d", "blåbærsyltetøy på vaffel",
		"pw-" + strings.Repeat("K7Q2", 2) + "MXZV", strings.Repeat("a", 60) + "Xq7#pv9Lw2!dTk4",
		"4@8({[<369&#!1/|0$5+7%2", strings.Repeat("4@8({[<369&#!1/|0$5+7%2", 8),
	} {
		if err := checkNewPassword("password", password, "Kari Nordmann", "kari.nordmann@example.com"); err != nil {
			t.Errorf("%q: %v", password, err)
		}
	}
}

// Anybody can have passwords estimated through the sign-up form, so the work must be bounded. The
// timeout only detects a missing bound: without both bounds the second password takes 40 s.
func TestStrengthEstimateIsBounded(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, password := range []string{strings.Repeat("ab1", 66), strings.Repeat("4@8({[<369&#!1/|0$5+7%2", 8)} {
			_ = checkNewPassword("password", password, "Kari", "kari@example.com")
		}
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("the estimate did not finish")
	}
}

func BenchmarkStrengthEstimate(b *testing.B) {
	for name, password := range map[string]string{
		"common":   "seven calm houses",
		"leet":     strings.Repeat("4@8({[<369&#!1/|0$5+7%2", 8),
		"few leet": strings.Repeat("a4@3i1|7", 25),
		"letters":  strings.Repeat("abcdefghijklmnopqrstuvwxyz", 7),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_ = checkNewPassword("password", password, "Kari Nordmann", "kari@example.com")
			}
		})
	}
}
