package text

import (
	"fmt"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

var (
	germanMonths = [...]string{
		"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
		"Dezember",
	}
	germanDays = [...]string{"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"}
)

func germanDay(day time.Time) string {
	return fmt.Sprintf("%d. %s", day.Day(), germanMonths[day.Month()-1])
}

// German is for readers whose browsers ask for it.
var German = Text{
	Tag: "de",

	Share: Share{
		Locked: "Passwort erforderlich", NotShared: "Nicht freigegeben", NotFound: "Nicht gefunden",
		Gone: "Dieser Link führt zu keiner Base, oder sie ist nicht mehr freigegeben. Bitten Sie um einen neuen " +
			"Link, wo Sie diesen bekommen haben.",
		SkipToRecords: "Zu den Datensätzen springen", Editable: "Änderbar", ReadOnly: "Nur lesen",
		SharedBy:    "Geteilt mit",
		LockedLabel: "Dieser Link hat ein Passwort", LockedStill: "Das ist nicht das Passwort dieses Links.",
		Open:     "Öffnen",
		NoTables: "Diese Base hat noch keine Tabellen.", Tables: "Tabellen", Views: "Ansichten",
		Saved: "Gespeichert.", SearchRecords: "Datensätze durchsuchen", NewRecord: "Neuer Datensatz", Change: "Ändern",
		AllInTable: "Alle stehen in der Tabelle.", Pages: "Seiten", Previous: "Zurück", Next: "Weiter",
		Board: "Board", Record: "Datensatz", EmptyMonth: "In diesem Monat ist nichts.", Chart: "Diagramm",
		MoreGroups: "Es gibt weitere Gruppen.", RecordCount: "Anzahl der Datensätze",
		First: func(count, of int64) string { return fmt.Sprintf("Die ersten %d von %d Datensätzen.", count, of) },
		NoHit: func(searched string) string { return "Kein Datensatz enthält „" + searched + "“." },
		Range: func(from, to, of int64) string { return fmt.Sprintf("%d–%d von %d", from, to, of) },
		By:    func(value, group string) string { return value + ", nach " + group },
		Show: names(map[string]string{
			"grid": "Als Tabelle anzeigen", "gallery": "Als Galerie anzeigen", "kanban": "Als Board anzeigen",
			"calendar": "Als Kalender anzeigen", "timeline": "Als Zeitachse anzeigen", "chart": "Als Diagramm anzeigen",
		}),
	},
	Print: Print{
		All: "Alle Datensätze",
		Gone: "Diese Ansicht gibt es nicht, oder Sie sehen sie nicht. Öffnen Sie sie in Rowhouse, und drucken Sie " +
			"sie aus dem Menü ihrer Werkzeuge.",
		First:    func(count, of int64) string { return fmt.Sprintf("die ersten %d von %d Datensätzen", count, of) },
		Filtered: func(fields []string) string { return "Gefiltert nach " + strings.Join(fields, ", ") },
		Searched: func(text string) string { return "Datensätze mit „" + text + "“" },
		Sum: names(map[string]string{
			"count": "Ausgefüllt", "distinct": "Verschieden", "sum": "Summe", "avg": "Durchschnitt",
			"median": "Median", "min": "Min", "max": "Max",
		}),
	},
	Form: Form{
		Preview: "Das ist eine Vorschau. So sehen alle das Formular, die seinen Link haben. Abgesendet werden kann " +
			"hier nichts.",
		SendAnother: "Noch eine Antwort senden", Sent: "Danke. Ihre Antwort wurde gesendet.",
		SentBefore: "Diese Antwort ist schon angekommen und einmal gespeichert. Für eine weitere öffnen Sie das " +
			"Formular noch einmal.",
		Kept: [3]string{
			"Sie können Ihre Antwort später ändern. Bewahren Sie ", "den Link zu Ihrer Antwort",
			" auf: Wer ihn hat, kann die Antwort lesen und ändern.",
		},
		Back: "Zurück zur Liste", Changes: "Was Sie speichern, ändert sich für alle.",
		Editing:     "Das ist Ihre Antwort, wie sie jetzt ist. Was Sie ändern, ersetzt sie.",
		NeedsScript: "Dieses Formular braucht JavaScript, für eine Prüfung, die Spam fernhält.",
		Submit:      "Absenden", Save: "Speichern", PageBack: "Zurück", Required: "(Pflicht)",
		MadeWith: "Erstellt mit", Warning: "Senden Sie nie Passwörter mit einem Formular.",

		Closed:      "Dieses Formular nimmt keine Antworten mehr an.",
		AnswerGone:  "Dieser Link führt zu keiner Antwort, oder sie kann nicht mehr geändert werden.",
		RecordGone:  "Dieser Datensatz ist nicht mehr in der Liste.",
		TooLate:     "Diese Seite war zu lange offen. Nichts ist verloren: Senden Sie sie noch einmal.",
		NotFinished: "Die Prüfung gegen Spam war noch nicht fertig. Senden Sie noch einmal.",
		Again:       "Bitte sehen Sie sich einige Antworten noch einmal an.",
		AgainRecord: "Bitte sehen Sie sich einige Werte noch einmal an.",
		Impossible: "Dieses Formular kann zurzeit nicht beantwortet werden. Sagen Sie es der Person, von der Sie " +
			"den Link haben.",
		NotSaved: "Das kann zurzeit nicht gespeichert werden. Sagen Sie es der Person, von der Sie den Link haben.",
		Lacks: "Die Tabelle verlangt einen Wert, nach dem nicht gefragt wird. Sagen Sie es der Person, von der Sie " +
			"den Link haben.",
		BadLink: "Im Link dieses Formulars fehlt ein Wert, oder einer passt nicht. Bitten Sie um einen anderen " +
			"Link.",
		Given:     "Das muss einmalig sein, und so hat schon jemand geantwortet.",
		GivenOne:  "Eine dieser Antworten muss einmalig sein, und so hat schon jemand geantwortet.",
		Taken:     "Das muss einmalig sein, und ein anderer Datensatz hat es schon.",
		OutOfView: "Mit diesen Werten stünde der Datensatz nicht in der Liste. Gespeichert wurde nichts.",
		FileNotHere: "Diese Datei wurde nicht mit dieser Antwort hochgeladen. Entfernen Sie sie, und fügen Sie sie " +
			"noch einmal hinzu.",
		NoRoom: "Dieses Formular kann zurzeit keine Dateien annehmen. Sagen Sie es der Person, von der Sie den " +
			"Link haben.",
		UploadLate: "Die Seite war zu lange offen. Senden Sie das Formular, und fügen Sie die Datei auf der Seite " +
			"hinzu, die dann kommt.",

		Continue: func(host string) string { return "Weiter zu " + host },
		Remove:   func(file string) string { return "„" + file + "“ entfernen" },
		Files: func(most int, kinds []string, megabytes int) string {
			count := "Eine Datei"
			if most > 1 {
				count = fmt.Sprintf("Bis zu %d Dateien", most)
			}
			return fmt.Sprintf("%s, je höchstens %d MB%s.", count, megabytes, list(": ", kinds))
		},
		FileKind: names(map[string]string{
			"image/*": "Bilder", "application/pdf": "PDF", "video/*": "Videos", "audio/*": "Tonaufnahmen",
		}),
		RequiredAt: "Eine Antwort ist erforderlich.",
		Wrong: wrong("Dieser Wert ist hier nicht möglich.", map[field.Ask]string{
			field.AskNumber: "Geben Sie eine Zahl ein.", field.AskDate: "Geben Sie ein Datum ein.",
			field.AskMoment:   "Geben Sie Datum und Uhrzeit ein.",
			field.AskDuration: "Geben Sie eine Dauer ein, etwa 1:30.",
			field.AskEmail:    "Geben Sie eine E-Mail-Adresse ein.",
			field.AskURL:      "Geben Sie eine Adresse ein, die mit https:// beginnt.",
			field.AskOption:   "Wählen Sie eine der Möglichkeiten.",
			field.AskOptions:  "Wählen Sie unter den Möglichkeiten.",
			field.AskFiles:    "Diese Dateien sind hier nicht möglich.",
		}),
		Script: Script{
			Next: "Weiter", Place: "Seite {page} von {pages}", NotArrived: "Sie ist nicht angekommen.",
			ManyUploads: "Zu dieser Antwort wurde zu oft hochgeladen. Senden Sie sie, und danach eine weitere.",
			Remove:      "„{name}“ entfernen", Preview: "Eine Vorschau sendet nichts.",
			Sending:   "„{name}“ wird gesendet …",
			MostFiles: "{name}: Höchstens {most} können gesendet werden.", Large: "{name} ist größer als 20 MB.",
			Wait:     "Noch werden Dateien gesendet. Warten Sie einen Moment.",
			Checking: "Es wird geprüft, dass dies kein Spam ist …",
		},
	},

	Untitled: "Unbenannter Datensatz", FormerMember: "Ehemaliges Mitglied", File: "Datei",
	NoRecords: "Es gibt keine Datensätze.", Search: "Suchen", Edit: "Bearbeiten",
	More: func(count int) string { return fmt.Sprintf("und %d weitere", count) },
	None: func(field string) string { return "Ohne „" + field + "“" },
	Checked: func(field string, checked bool) string {
		return field + ": " + map[bool]string{true: "ja", false: "nein"}[checked]
	},
	Of: func(function, field string) string {
		return join(map[string]string{
			"count": "Anzahl der Werte von", "distinct": "Anzahl verschiedener Werte von", "sum": "Summe von",
			"avg": "Durchschnitt von", "median": "Median von", "min": "Kleinster Wert von", "max": "Größter Wert von",
		}[function], field)
	},
	Records: func(count int64) string {
		if count == 1 {
			return "1 Datensatz"
		}
		return number(count) + " Datensätze"
	},
	Month:   func(day time.Time) string { return fmt.Sprintf("%s %d", germanMonths[day.Month()-1], day.Year()) },
	Day:     func(day time.Time) string { return fmt.Sprintf("%s %d", germanDay(day), day.Year()) },
	DayName: func(day time.Time) string { return germanDays[day.Weekday()] + ", " + germanDay(day) },
	Weekday: func(day time.Time) string { return germanDays[day.Weekday()][:2] },
	Quarter: func(number, year int) string { return fmt.Sprintf("Q%d %d", number, year) },
	Moment: func(at time.Time) string {
		return fmt.Sprintf("%s %d, %s Uhr", germanDay(at), at.Year(), at.Format("15:04"))
	},
	Failed: "Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.",
	FileExpired: "Der Link zu dieser Datei ist abgelaufen, weil solche Links nur wenige Minuten gelten. Gehen Sie " +
		"zurück zu der Seite, auf der Sie ihn gefunden haben, laden Sie sie neu, und öffnen Sie die Datei noch " +
		"einmal.",
	TooMany: "Zu viele Anfragen sind auf einmal gekommen. Versuchen Sie es gleich noch einmal.",
}
