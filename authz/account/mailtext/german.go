package mailtext

import (
	"fmt"
	"time"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/longdate"
)

// German addresses its readers formally. A text begins with a small letter, because a comma ends the greeting.
var German = Text{
	Tag: "de",

	Greeting: func(name string) string {
		if name == "" {
			return "Guten Tag,"
		}
		return "Guten Tag " + name + ","
	},
	Moment: func(at time.Time) string {
		at = at.UTC()
		return fmt.Sprintf("%s %d, %s Uhr UTC", longdate.German(at), at.Year(), at.Format("15:04"))
	},

	Verify: func(link string, days int) Mail {
		return Mail{"Bestätigen Sie Ihre E-Mail-Adresse", paragraphs(
			"bitte bestätigen Sie, dass dies Ihre E-Mail-Adresse ist. Öffnen Sie dazu diesen Link:",
			link,
			"Der Link gilt "+counted(days, "Tag", "Tage")+". Wenn Sie kein Konto erstellt haben, ignorieren Sie diese "+
				"E-Mail. Ohne sie kann niemand Ihre Adresse bestätigen. Nach dem Öffnen des Links werden Sie nach dem "+
				"Passwort des Kontos gefragt, wenn Sie nicht angemeldet sind.",
		)}
	},
	Address: func(link string) Mail {
		return Mail{"Diese E-Mail-Adresse für Ihr Konto verwenden", paragraphs(
			"jemand – hoffentlich Sie selbst – möchte diese E-Mail-Adresse für ein Konto verwenden. Damit sie von "+
				"jetzt an gilt, öffnen Sie diesen Link:",
			link,
			"Der Link funktioniert nur einmal und gilt einen Tag. Wenn Sie nicht angemeldet sind, werden Sie nach "+
				"dem Passwort des Kontos gefragt. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Es hat sich "+
				"nichts geändert.",
		)}
	},
	Reset: func(link string) Mail {
		return Mail{"Passwort zurücksetzen", paragraphs(
			"jemand – hoffentlich Sie selbst – möchte das Passwort Ihres Kontos zurücksetzen. Um ein neues zu "+
				"wählen, öffnen Sie diesen Link:",
			link,
			"Der Link funktioniert nur einmal und gilt eine Stunde. Wenn Sie ihn benutzen, werden alle Sitzungen "+
				"abgemeldet und alle API-Schlüssel und verbundenen Apps widerrufen, es sei denn, Sie möchten diese "+
				"behalten. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Es hat sich nichts geändert.",
		)}
	},
	Invitation: func(i Invitation) Mail {
		return Mail{"Einladung zu „" + i.Organization + "“", paragraphs(
			i.Inviter+" lädt Sie ein, der Organisation „"+i.Organization+"“ auf Rowhouse beizutreten. Um die "+
				"Einladung anzunehmen, öffnen Sie diesen Link:",
			i.Link,
			"Der Link ist für "+i.To+" bestimmt und gilt "+counted(i.Days, "Tag", "Tage")+". Wenn Sie nicht wissen, "+
				"worum es geht, ignorieren Sie diese E-Mail.",
		)}
	},
	Comment: func(c Comment) Mail {
		did, record := "hat Sie in einem Kommentar erwähnt", ""
		if c.Reply {
			did = "hat in einer Diskussion geantwortet, in der Sie geschrieben haben"
		}
		if c.Record != "" {
			record = "\nDatensatz: " + c.Record
		}
		return Mail{c.Author + " " + did, paragraphs(
			c.Author+" "+did+".",
			"Organisation: "+c.Organization+"\nBase: "+c.Base+"\nTabelle: "+c.Table+record,
			"Um den Kommentar zu lesen und zu antworten, öffnen Sie diesen Link:",
			c.Link,
			"Um keine solchen E-Mails mehr zu erhalten, öffnen Sie diese Seite:",
			c.Settings,
		)}
	},

	Notices: map[credential.Change]Notice{
		credential.PasswordChanged: {
			Subject: "Ihr Passwort wurde geändert",
			Text: "das Passwort Ihres Kontos wurde gerade geändert, und alle anderen Sitzungen wurden " +
				"abgemeldet.",
			Advice: germanReset,
		},
		credential.PasswordReset: {
			Subject: "Ihr Passwort wurde zurückgesetzt",
			Of: func(string) string { // API keys and connected apps ended too
				return "Ihr Passwort wurde gerade mit einem Link zurückgesetzt, der Ihnen per E-Mail gesendet wurde. " +
					"Alle Sitzungen wurden abgemeldet und alle API-Schlüssel und verbundenen Apps widerrufen."
			},
			Text: "Ihr Passwort wurde gerade mit einem Link zurückgesetzt, der Ihnen per E-Mail gesendet wurde. Alle " +
				"Sitzungen wurden abgemeldet.",
			Advice: germanReset,
		},
		credential.AddressConfirmed: {
			Subject: "Ihre E-Mail-Adresse ist bestätigt",
			Text:    "diese E-Mail-Adresse wurde gerade für Ihr Konto bestätigt.",
			Advice:  germanReset,
		},
		credential.AddressChanged: {
			Subject: "Ihr Konto hat eine andere E-Mail-Adresse",
			Text: "Ihr Konto, das diese E-Mail-Adresse hatte, hat gerade eine andere bekommen. Die Anmeldung ist " +
				"von jetzt an nur noch mit dieser möglich.",
			Advice: around("Wenn Sie das nicht waren, kennt jemand Ihr Passwort. Wenden Sie sich sofort an die "+
				"Betreiber dieser Website:\n\n", "/"),
		},
		credential.AccountDeleted: {
			Subject: "Ihr Konto wurde gelöscht",
			Text:    "Ihr Konto wurde gerade gelöscht, mit seinen Sitzungen, API-Schlüsseln und verbundenen Apps.",
			Advice: around("Wenn Sie das nicht waren, kannte jemand Ihr Passwort. Wenden Sie sich sofort an die "+
				"Betreiber dieser Website:\n\n", "/"),
		},
		credential.DeviceNew: {
			Subject: "Anmeldung mit einem neuen Browser",
			Of: around("jemand hat sich bei Ihrem Konto angemeldet, mit einem Browser, der dafür noch nie benutzt "+
				"wurde. Die Anmeldung kam von der Adresse ", "."),
			Advice: germanReset,
		},
		credential.AccountGuessed: {
			Subject: "Jemand versucht, Ihr Passwort zu erraten",
			Text: "für Ihr Konto wurde hundertmal hintereinander ein falsches Passwort eingegeben; keines davon " +
				"war richtig. Bis das richtige eingegeben wird, ist die Anmeldung nur mit Browsern möglich, die Sie " +
				"schon dafür benutzt haben.",
			Advice: around("Wenn Sie das nicht waren, brauchen Sie nichts zu tun. Um sich mit einem anderen Browser "+
				"anzumelden, setzen Sie ein neues Passwort unter\n\n", "/forgot-password"),
		},
		credential.KeyCreated: {
			Subject: "Ein API-Schlüssel wurde erstellt",
			Of:      around("der API-Schlüssel „", "“ wurde gerade für Ihr Konto erstellt."),
			Advice:  germanReview,
		},
		credential.KeyRotated: {
			Subject: "Ein API-Schlüssel wurde erneuert",
			Of:      around("der API-Schlüssel „", "“ Ihres Kontos wurde gerade durch einen neuen ersetzt."),
			Advice:  germanReview,
		},
		credential.KeyRevoked: {
			Subject: "Ein API-Schlüssel wurde widerrufen",
			Of:      around("der API-Schlüssel „", "“ Ihres Kontos wurde gerade widerrufen."),
			Advice:  germanReview,
		},
		credential.AppConnected: {
			Subject: "Eine App wurde verbunden",
			Of:      around("die App „", "“ wurde gerade mit Ihrem Konto verbunden."),
			Text:    "gerade wurde eine App mit Ihrem Konto verbunden.",
			Advice:  germanReview,
		},
		credential.AppDisconnected: {
			Subject: "Eine App wurde getrennt",
			Of:      around("die App „", "“ wurde gerade von Ihrem Konto getrennt."),
			Text:    "alle Apps wurden gerade von Ihrem Konto getrennt.",
			Advice:  germanReview,
		},
		credential.WebhookCreated: {
			Subject: "Ein Webhook wurde erstellt",
			Of: around("in einer Organisation, die Ihnen gehört, wurde gerade der Webhook „", "“ erstellt. Er sendet "+
				"Änderungen einer Base an eine URL."),
			Advice: germanWebhookReview,
		},
		credential.WebhookRedirected: {
			Subject: "Ein Webhook hat eine andere URL",
			Of: around("der Webhook „", "“ einer Organisation, die Ihnen gehört, hat gerade eine andere URL bekommen. "+
				"Dorthin gehen jetzt Änderungen einer Base."),
			Advice: germanWebhookReview,
		},
		credential.WebhookGone: germanDisabled("sein Empfänger mit 410 geantwortet hat, also keine Nachrichten mehr " +
			"will."),
		credential.WebhookFailing: germanDisabled("sein Empfänger seit fünf Tagen gestört ist. Was nicht zugestellt " +
			"wurde, wartet: Der Webhook macht dort weiter, wo er aufgehört hat."),
		credential.WebhookOwner: germanDisabled("die Person, die ihn aktiviert hatte, keine Webhooks mehr einrichten " +
			"darf."),
		credential.WebhookHistory: germanDisabled("er hinter den aufbewahrten Verlauf zurückgefallen ist. Einige " +
			"Änderungen können nicht mehr gesendet werden: Lassen Sie den Empfänger die Datensätze neu lesen."),
		credential.WebhookFilter: germanDisabled("sein Filter nicht mehr zu den Feldern der Tabelle passt."),
	},
}

var (
	germanReset = around("Wenn Sie das nicht waren, wählen Sie ein neues Passwort unter\n\n", "/forgot-password\n\n"+
		"und lassen Sie das Kästchen angehakt, mit dem alle API-Schlüssel und verbundenen Apps widerrufen werden.")
	germanReview = around("Wenn Sie das nicht waren, melden Sie sich an, prüfen Sie Ihre API-Schlüssel und "+
		"verbundenen Apps unter\n\n", "/account\n\nund ändern Sie Ihr Passwort.")
	germanWebhookReview = around("Wenn das niemand von Ihnen war, öffnen Sie die Base unter\n\n", "/\n\nund löschen "+
		"Sie den Webhook, den Sie in ihrem Menü unter „Webhooks“ finden. Wer ihn eingerichtet hat, steht im "+
		"Audit-Protokoll der Organisation: Widerrufen Sie die Schlüssel dieser Person, und beenden Sie ihre Sitzungen.")
)

func germanDisabled(because string) Notice {
	return Notice{
		Subject: "Ein Webhook wurde deaktiviert",
		Of:      around("der Webhook „", "“ wurde gerade deaktiviert, weil "+because),
		Advice: around("Er sendet nichts mehr, bis ein Admin ihn wieder aktiviert: Öffnen Sie die Base unter\n\n",
			"/\n\nund wählen Sie in ihrem Menü „Webhooks“. Dort stehen auch seine Zustellungen."),
	}
}
