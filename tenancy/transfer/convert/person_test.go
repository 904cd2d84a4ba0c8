package convert_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/transfer/convert"
)

// lines is CSV without carriage returns, which are before every line feed.
func lines(csv string) string {
	return strings.ReplaceAll(strings.TrimSuffix(csv, "\r\n"), "\r\n", "\n")
}

func typesOf(result *convert.Result) string {
	types := make([]string, len(result.Columns))
	for i, c := range result.Columns {
		types[i] = c.Type
		if len(c.Options) > 0 {
			types[i] += fmt.Sprint(c.Options)
		}
	}
	return strings.Join(types, ", ")
}

const cards = "\ufeffBEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg\r\n" +
	"TEL;WORK;VOICE:+49 30 1\r\nTEL;CELL:+49 170 2\r\n" +
	"NOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0Atwo =\r\n three\r\nBDAY:19640229\r\nEND:VCARD\r\n\r\n" +
	"BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann \\, Lee\r\nitem1.EMAIL;TYPE=\"home,pref\":ann@example.com\r\n" +
	"item2.EMAIL;TYPE=work:lee@example.com\r\nEMAIL;TYPE=work:boss@example.com\r\nORG:Ship Co;Fleet\r\n" +
	"TITLE:Captain\r\nADR;TYPE=home:;;1 Quay\\nNorth;Bergen;;5003;Norway\r\nNOTE:A long\r\n  note\r\n" +
	"CATEGORIES:Sea,Friends\r\nBDAY:--0415\r\nPHOTO:data:image/png;base64,AAAA\r\n AAAA\r\nEND:VCARD\r\n"

func TestCardsOfAllVersionsBecomeRows(t *testing.T) {
	t.Parallel()
	text, result, err := converted(t, nil, convert.VCard, []byte(cards))
	if err != nil {
		t.Fatal(err)
	}
	const want = `Name,First name,Last name,Organization,Department,Job title,E-mail (home),E-mail (work),` +
		`E-mail (work) 2,Phone (work),Phone (mobile),Address (home),Birthday,Categories,Note` + "\n" +
		`Jörg Müller,Jörg,Müller,,,,,,,+49 30 1,+49 170 2,,1964-02-29,,"one` + "\n" + `two  three"` + "\n" +
		`"Ann , Lee",,,Ship Co,Fleet,Captain,ann@example.com,lee@example.com,boss@example.com,,,` +
		`"1 Quay, North, 5003 Bergen, Norway",'--0415,"Sea, Friends",A long note`
	if lines(text) != want {
		t.Errorf("the CSV is\n%s", text)
	}
	const types = "text, text, text, text, text, text, text, text, text, phone, phone, text, text, " +
		"multi_select[Sea Friends], long_text"
	if got := typesOf(result); got != types {
		t.Errorf("the types are %s", got)
	}
	for _, broken := range []string{"BEGIN:VCARD\nFN:A\n", "BEGIN:VCARD\nFN:A\nBEGIN:VCARD\nFN:B\nEND:VCARD\n", "x"} {
		if _, _, err := converted(t, nil, convert.VCard, []byte(broken)); err == nil {
			t.Errorf("%q is not refused", broken)
		}
	}
}

const events = "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VTIMEZONE\nTZID:Europe/Berlin\nBEGIN:STANDARD\n" +
	"DTSTART:19701025T030000\nEND:STANDARD\nEND:VTIMEZONE\n" +
	"BEGIN:VEVENT\nUID:1\nSUMMARY:Sail\\, then eat\nDTSTART;TZID=Europe/Berlin:20260329T033000\n" +
	"DURATION:PT1H30M\nLOCATION:Pier 1\nDESCRIPTION:Bring\\nwater and \n bread\nRRULE:FREQ=WEEKLY;BYDAY=MO\n" +
	"ORGANIZER;CN=Ann:mailto:ann@example.com\nATTENDEE;CN=\"Lee, Bo\":MAILTO:bo@example.com\n" +
	"ATTENDEE:mailto:cy@example.com\nBEGIN:VALARM\nDESCRIPTION:alarm\nTRIGGER:-PT5M\nEND:VALARM\nEND:VEVENT\n" +
	"BEGIN:VEVENT\nSUMMARY:Holiday\nDTSTART;VALUE=DATE:20260501\nDTEND;VALUE=DATE:20260503\nEND:VEVENT\n" +
	"BEGIN:VEVENT\nSUMMARY:Call\nDTSTART:20260601T100000Z\nDTEND;TZID=Customized Zone:20260601T130000\n" +
	"CATEGORIES:Work\nEND:VEVENT\nBEGIN:VTODO\nSUMMARY:Paint\nEND:VTODO\nEND:VCALENDAR\n"

func TestEventsOfACalendarBecomeRows(t *testing.T) {
	t.Parallel()
	text, result, err := converted(t, nil, convert.Calendar, []byte(events))
	if err != nil {
		t.Fatal(err)
	}
	const want = `Summary,Start,End,All day,Location,Description,Recurrence,Organizer,Attendees,Categories` + "\n" +
		`"Sail, then eat",2026-03-29T01:30:00Z,2026-03-29T03:00:00Z,false,Pier 1,"Bring` + "\n" +
		`water and bread","FREQ=WEEKLY;BYDAY=MO",Ann <ann@example.com>,` +
		`"Lee, Bo <bo@example.com>, cy@example.com",` + "\n" +
		`Holiday,2026-05-01T00:00:00,2026-05-02T00:00:00,true,,,,,,` + "\n" +
		`Call,2026-06-01T10:00:00Z,2026-06-01T13:00:00,false,,,,,,Work`
	if lines(text) != want {
		t.Errorf("the CSV is\n%s", text)
	}
	const types = "text, datetime, datetime, checkbox, text, long_text, text, text, text, multi_select[Work]"
	if got := typesOf(result); got != types {
		t.Errorf("the types are %s", got)
	}
	if got := strings.Join(result.Notes, " "); !strings.Contains(got, "To-dos and journal entries were left out: 1") ||
		!strings.Contains(got, `"Customized Zone"`) {
		t.Errorf("the notes are %s", got)
	}
	for _, broken := range []string{
		events[:400], "BEGIN:VCALENDAR\nEND:VEVENT\n", "BEGIN:VCALENDAR\nEND:VCALENDAR\n",
		strings.Repeat("BEGIN:X\n", 30),
	} {
		if _, _, err := converted(t, nil, convert.Calendar, []byte(broken)); err == nil {
			t.Errorf("%.60q is not refused", broken)
		}
	}
}
