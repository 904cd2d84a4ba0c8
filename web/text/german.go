package text

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/internal/longdate"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

var germanDays = [...]string{"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"}

var germanRoles = map[string]string{
	"owner": "Inhaber", "admin": "Admin", "editor": "Bearbeiter", "viewer": "Betrachter", "guest": "Gast",
}

// German is for readers whose browsers ask for it.
var German = Text{
	Tag: "de",

	Share: Share{
		Locked: "Passwort erforderlich", NotShared: "Nicht freigegeben", NotFound: "Nicht gefunden",
		Gone: "Dieser Link führt zu keiner Base, oder sie ist nicht mehr freigegeben. Bitten Sie die Person, von " +
			"der Sie ihn haben, um einen neuen.",
		SkipToRecords: "Zu den Datensätzen springen", Editable: "Bearbeitbar", ReadOnly: "Nur lesen",
		SharedBy:    "Geteilt über",
		LockedLabel: "Dieser Link hat ein Passwort", LockedStill: "Das ist nicht das Passwort dieses Links.",
		Open:     "Öffnen",
		NoTables: "Diese Base hat noch keine Tabellen.", Tables: "Tabellen", Views: "Ansichten",
		Saved: "Gespeichert.", SearchRecords: "Datensätze durchsuchen", NewRecord: "Neuer Datensatz", Change: "Ändern",
		AllInTable: "Alle stehen in der Tabelle.", Pages: "Seiten", Previous: "Zurück", Next: "Weiter",
		Board: "Kanban", Record: "Datensatz", EmptyMonth: "In diesem Monat ist nichts.", Chart: "Diagramm",
		MoreGroups: "Es gibt weitere Gruppen.", RecordCount: "Anzahl der Datensätze",
		Over:  "mehr als die Grenze",
		First: func(count, of int64) string { return fmt.Sprintf("Die ersten %d von %d Datensätzen.", count, of) },
		NoHit: func(searched string) string { return "Kein Datensatz enthält „" + searched + "“." },
		Range: func(from, to, of int64) string { return fmt.Sprintf("%d–%d von %d", from, to, of) },
		By:    func(value, group string) string { return value + ", nach " + group },
		Show: names(map[string]string{
			"grid": "Als Tabelle anzeigen", "gallery": "Als Galerie anzeigen", "kanban": "Als Kanban anzeigen",
			"calendar": "Als Kalender anzeigen", "timeline": "Als Zeitachse anzeigen", "chart": "Als Diagramm " +
				"anzeigen",
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
		TooLate:     "Diese Seite war zu lange offen. Nichts ist verloren: Senden Sie das Formular noch einmal ab.",
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
		Given:     "Diese Antwort darf nur einmal vorkommen, und jemand hat sie schon gegeben.",
		GivenOne:  "Eine dieser Antworten darf nur einmal vorkommen, und jemand hat sie schon gegeben.",
		Taken:     "Dieser Wert darf nur einmal vorkommen, und ein anderer Datensatz hat ihn schon.",
		OutOfView: "Mit diesen Werten stünde der Datensatz nicht in der Liste. Gespeichert wurde nichts.",
		FileNotHere: "Diese Datei wurde nicht mit dieser Antwort hochgeladen. Entfernen Sie sie, und fügen Sie sie " +
			"noch einmal hinzu.",
		NoRoom: "Dieses Formular kann zurzeit keine Dateien annehmen. Sagen Sie es der Person, von der Sie den Link " +
			"haben.",
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
		RequiredAt: "Bitte ausfüllen.",
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
			ManyUploads: "Zu dieser Antwort wurden zu viele Dateien hochgeladen. Senden Sie sie, und danach eine " +
				"weitere.",
			Remove: "„{name}“ entfernen", Preview: "Eine Vorschau sendet nichts.",
			Sending:   "„{name}“ wird gesendet …",
			MostFiles: "{name}: Höchstens {most} können gesendet werden.", Large: "{name} ist größer als 20 MB.",
			Wait:     "Noch werden Dateien gesendet. Warten Sie einen Moment.",
			Checking: "Es wird geprüft, dass dies kein Spam ist …",
		},
	},

	Account: Account{
		SignIn: "Anmelden", SignUp: "Konto erstellen", SignOut: "Abmelden", StaySignedIn: "Angemeldet bleiben",
		SigningOut: "Sie werden in diesem Browser abgemeldet.",
		Email:      "E-Mail", Password: "Passwort", Name: "Ihr Name", Organization: "Organisation",
		NewPassword: "Neues Passwort",
		Forgot:      "Passwort vergessen?",
		New:         "Neu hier?", Create: "Konto erstellen", CreateAccount: "Konto erstellen",
		Have:             "Schon ein Konto?",
		Lead:             "Ein Arbeitsplatz für Ihre Daten: im Browser, über eine API und für KI-Assistenten.",
		OrganizationHint: "Ihre Firma, Ihr Team oder Ihr Haushalt. Andere können Sie später einladen.",
		PasswordHint:     "Mindestens 10 Zeichen. Gut sind einige Wörter, die nichts miteinander zu tun haben.",
		ResetTitle:       "Passwort zurücksetzen", ResetLead: "Wir senden Ihnen einen Link, um ein neues zu wählen.",
		ResetSend: "Link senden", BackToSignIn: "Zurück zur Anmeldung",
		ChooseTitle: "Neues Passwort wählen", Revoke: "Alle API-Schlüssel und verbundenen Apps widerrufen",
		RevokeHint: "Lassen Sie das angehakt, wenn jemand anders Ihr Konto benutzt haben könnte, denn Schlüssel, " +
			"die dabei entstanden sind, gelten sonst weiter.",
		RevokeAll: "Alle API-Schlüssel und verbundenen Apps dieses Kontos werden widerrufen, weil seine Adresse nie " +
			"bestätigt wurde.",
		SetPassword: "Passwort setzen",
		VerifyTitle: "Adresse bestätigen", Verify: "Ja, bestätigen",
		VerifyHint: "Das Passwort des Kontos mit dieser Adresse. In einem Browser, in dem Sie angemeldet sind, ist " +
			"es nicht nötig.",
		AddressTitle: "Adresse ändern", Change: "Ja, ändern",
		ChangeHint:   "Das Passwort des Kontos. In einem Browser, in dem Sie angemeldet sind, ist es nicht nötig.",
		NotYours:     "Das ist nicht Ihr Konto? Schließen Sie diese Seite: Jemand hat sich bei der Adresse vertippt.",
		Join:         "Beitreten",
		SignInToJoin: "Melden Sie sich an, um beizutreten.", SignOutToJoin: "Abmelden und weiter",
		CreateAndJoin: "Konto erstellen und beitreten",
		Continue:      "Weiter", ThankYou: "Danke", CheckMail: "Sehen Sie in Ihrem Postfach nach",
		Sent: "Wenn es ein Konto mit dieser Adresse gibt, haben wir dorthin einen Link gesendet, um ein neues " +
			"Passwort zu wählen. Er gilt eine Stunde.",
		Confirmed:    "Ihre E-Mail-Adresse ist bestätigt.",
		Changed:      "Ihr Konto hat die neue E-Mail-Adresse. Melden Sie sich von jetzt an mit ihr an.",
		AfterReset:   "Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.",
		AfterSignOut: "Sie sind abgemeldet.",
		WentWrong:    "Etwas ist schiefgegangen",
		PageNotFound: "Seite nicht gefunden", TryLater: "Versuchen Sie es später noch einmal",
		ElsewhereForm: "Dieses Formular wurde von einer anderen Website gesendet. Öffnen Sie die Seite hier, und " +
			"versuchen Sie es noch einmal.",
		TooLarge: "Das Formular ist zu groß.", Unread: "Das Formular war nicht zu lesen.",
		For:       [2]string{"Für ", ". Überall sonst werden Sie abgemeldet."},
		Verifying: [2]string{"Ist ", " Ihre E-Mail-Adresse?"},
		Changing:  [3]string{"Soll Ihr Konto die Adresse ", " statt ", " haben?"},
		NotSignedUp: [2]string{
			"Sie haben kein Konto erstellt? Schließen Sie diese Seite: Jemand anders hat Ihre Adresse benutzt. Um " +
				"das Konto zu übernehmen, ",
			"setzen Sie sein Passwort zurück",
		},
		JoinTitle: func(organization string) string { return organization + " beitreten" },
		Invited: func(by, organization, role string) string {
			invited := "Sie sind eingeladen"
			if by != "" {
				invited = by + " lädt Sie ein"
			}
			return fmt.Sprintf("%s, %s beizutreten. Ihre Rolle: %s.", invited, organization,
				cmp.Or(germanRoles[role], role))
		},
		SignedInAs: func(email string) string { return "Sie sind als " + email + " angemeldet." },
		ForSomebodyElse: func(email, present string) string {
			return fmt.Sprintf("Die Einladung ist für %s, und Sie sind als %s angemeldet.", email, present)
		},
		HasAccount: func(email string) string { return "Es gibt ein Konto für " + email + "." },
	},
	Refused: Refused{
		SignIn: "Die E-Mail-Adresse oder das Passwort ist falsch.",
		Guessed: "Für diese Adresse wurden zu viele falsche Passwörter eingegeben. Melden Sie sich in einem Browser " +
			"an, den Sie schon dafür benutzt haben, oder setzen Sie mit einem Link per E-Mail ein neues Passwort.",
		Attempts: "Zu viele Versuche, sich bei diesem Konto anzumelden. Versuchen Sie es in einigen Sekunden noch " +
			"einmal.",
		HasAccount: "Diese E-Mail-Adresse hat schon ein Konto. Melden Sie sich an, oder setzen Sie das Passwort " +
			"zurück.",
		AccountThere:     "Damit gibt es schon ein Konto.",
		LinkEnded:        "Dieser Link gilt nicht mehr: Er wurde benutzt, ist abgelaufen oder nicht vollständig.",
		NotOfAccount:     "Das ist nicht das Passwort des Kontos.",
		NotOfThisAccount: "Das ist nicht das Passwort dieses Kontos.",
		PasswordChanged:  "Das Passwort wurde eben geändert. Melden Sie sich mit dem neuen an.",
		NoMail: "Dieser Dienst sendet keine E-Mails, weil kein Versand eingerichtet ist. Fragen Sie, wer ihn " +
			"betreibt.",
		MailFailed: "Die E-Mail konnte eben nicht gesendet werden. Versuchen Sie es gleich noch einmal.",
		Short:      "Es braucht mindestens 10 Zeichen. Gut sind mehrere Wörter.",
		OwnName:    "Es darf nicht Ihr Name oder Ihre Adresse sein.",
		Common: "Es ist eines der 100.000 Passwörter, die in Datenlecks am häufigsten vorkommen, und wird deshalb " +
			"als Erstes ausprobiert. Gut sind mehrere Wörter, die nichts miteinander zu tun haben.",
		NoAddress: "Es muss eine E-Mail-Adresse sein, etwa kari@example.com.",
		Empty:     "Bitte ausfüllen.",
		Nobody:    "Niemand ist angemeldet.",
		Guessable: "Das ist leicht zu erraten. Gut sind mehrere Wörter, die nichts miteinander zu tun haben.",
		Long:      func(characters string) string { return "Höchstens " + characters + " Zeichen sind möglich." },
		Files:     func(most string) string { return "Höchstens " + most + " Dateien sind möglich." },
		Between: func(low, high string) string {
			return "Wählen Sie eine ganze Zahl von " + low + " bis " + high + "."
		},
		NoPage: func(path string) string { return "Unter " + path + " gibt es keine Seite." },
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
	Month:   func(day time.Time) string { return fmt.Sprintf("%s %d", longdate.GermanMonth(day), day.Year()) },
	Day:     func(day time.Time) string { return fmt.Sprintf("%s %d", longdate.German(day), day.Year()) },
	DayName: func(day time.Time) string { return germanDays[day.Weekday()] + ", " + longdate.German(day) },
	Weekday: func(day time.Time) string { return germanDays[day.Weekday()][:2] },
	Quarter: func(number, year int) string { return fmt.Sprintf("Q%d %d", number, year) },
	Moment: func(at time.Time) string {
		return fmt.Sprintf("%s %d, %s Uhr", longdate.German(at), at.Year(), at.Format("15:04"))
	},
	Failed: "Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.",
	FileExpired: "Der Link zu dieser Datei ist abgelaufen, weil solche Links nur wenige Minuten gelten. Gehen Sie " +
		"zurück zu der Seite, auf der Sie ihn gefunden haben, laden Sie sie neu, und öffnen Sie die Datei noch " +
		"einmal.",
	TooMany: "Das waren zu viele Versuche oder Anfragen. Versuchen Sie es in einigen Minuten noch einmal.",
}
