package account

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/text/language"

	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// Preferences are how a person reads. Empty members are as the browser has them.
type Preferences struct {
	Locale   string `json:"locale"`   // a BCP 47 tag, by which numbers and dates are written
	FirstDay string `json:"firstDay"` // of weeks, one of FirstDays
	Language string `json:"language"` // of the application's texts and of mails, one of Languages
	// TimeZone is the IANA name of the clock that shows times of fields without one of their own. Empty is the base's.
	TimeZone string `json:"timeZone"`
}

// FirstDays are the days on which weeks begin somewhere.
var FirstDays = []string{"saturday", "sunday", "monday"}

// Languages are those that the application's texts and mails exist in, as subtags of BCP 47.
var Languages = []string{"en", "de", "fr"}

// maxLocale is enough for a language, a script, a region and a few extensions.
const maxLocale = 64

// check makes the locale canonical. It returns an error of kind invalid.
func (p *Preferences) check() error {
	if p.Locale != "" {
		tag, err := language.Parse(p.Locale)
		if err != nil || len(p.Locale) > maxLocale {
			return problem.Invalid("locale", "is no BCP 47 language tag, such as en-GB")
		}
		p.Locale = tag.String()
	}
	if p.FirstDay != "" && !slices.Contains(FirstDays, p.FirstDay) {
		return problem.Invalid("firstDay", "must be one of %s, or empty", problem.List(FirstDays))
	}
	if p.Language != "" && !slices.Contains(Languages, p.Language) {
		return problem.Invalid("language", "must be one of %s, or empty", problem.List(Languages))
	}
	if wrong := field.CheckTimeZone(p.TimeZone); p.TimeZone != "" && wrong != "" {
		return problem.Invalid("timeZone", "%s", wrong)
	}
	return nil
}

// Preferences returns how a person reads.
func (s *Service) Preferences(ctx context.Context, person uuid.UUID) (Preferences, error) {
	var p Preferences
	err := s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select locale, first_day, language, time_zone from rowhouse.person where id = $1", person).
			QueryRow(func(row pgx.Row) error { return row.Scan(&p.Locale, &p.FirstDay, &p.Language, &p.TimeZone) })
	})
	if err != nil {
		return Preferences{}, fmt.Errorf("reading preferences: %w", err)
	}
	return p, nil
}

// ChangeProfile changes a person's name and preferences, and returns the name cleaned. It returns an error of kind
// invalid at the member that is wrong.
func (s *Service) ChangeProfile(ctx context.Context, person uuid.UUID, name string, p Preferences) (string, error) {
	name, err := naming.Clean("name", name)
	if err != nil {
		return "", err
	}
	if err := p.check(); err != nil {
		return "", err
	}
	s.Cache.InvalidatePerson(ctx, person)
	err = s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("update rowhouse.person set name = $2, locale = $3, first_day = $4, language = $5, "+
			"time_zone = $6 where id = $1", person, name, p.Locale, p.FirstDay, p.Language, p.TimeZone)
	})
	s.Cache.InvalidatePerson(ctx, person)
	if err != nil {
		return "", fmt.Errorf("changing a profile: %w", err)
	}
	return name, nil
}
