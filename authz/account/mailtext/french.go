package mailtext

import (
	"fmt"
	"time"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/longdate"
)

// French has a space that does not break before colons and within quotation marks.
var French = Text{
	Tag: "fr",

	Greeting: func(name string) string {
		if name == "" {
			return "Bonjour,"
		}
		return "Bonjour " + name + ","
	},
	Moment: func(at time.Time) string {
		at = at.UTC()
		return fmt.Sprintf("%s %d, %s UTC", longdate.French(at), at.Year(), at.Format("15:04"))
	},

	Verify: func(link string, days int) Mail {
		return Mail{"Confirmez votre adresse e-mail", paragraphs(
			"Pour confirmer que cette adresse e-mail est la vôtre, ouvrez ce lien\u00a0:",
			link,
			"Le lien est valable "+counted(days, "jour", "jours")+". Si vous n’avez pas créé de compte, ignorez cet "+
				"e-mail. Personne ne peut confirmer votre adresse sans lui, et le mot de passe du compte est demandé "+
				"si vous n’êtes pas connecté.",
		)}
	},
	Address: func(link string) Mail {
		return Mail{"Utilisez cette adresse e-mail pour votre compte", paragraphs(
			"Quelqu’un (vous-même, espérons-le) souhaite utiliser cette adresse e-mail pour son compte. Pour "+
				"l’utiliser désormais, ouvrez ce lien\u00a0:",
			link,
			"Le lien est valable un jour et ne fonctionne qu’une fois. Le mot de passe du compte est demandé si vous "+
				"n’êtes pas connecté. Si ce n’était pas vous, ignorez cet e-mail\u00a0: rien n’a changé.",
		)}
	},
	Reset: func(link string) Mail {
		return Mail{"Réinitialisez votre mot de passe", paragraphs(
			"Quelqu’un (vous-même, espérons-le) a demandé à réinitialiser le mot de passe de votre compte. Pour en "+
				"choisir un nouveau, ouvrez ce lien\u00a0:",
			link,
			"Le lien est valable une heure et ne fonctionne qu’une fois. Lorsque vous l’utilisez, toutes les sessions "+
				"sont déconnectées, et toutes les clés d’API et les applications connectées sont révoquées, sauf si "+
				"vous souhaitez les conserver. Si ce n’était pas vous, ignorez cet e-mail\u00a0: rien n’a changé.",
		)}
	},
	Invitation: func(i Invitation) Mail {
		organization := "«\u00a0" + i.Organization + "\u00a0»"
		return Mail{"Invitation à rejoindre " + organization, paragraphs(
			i.Inviter+" vous invite à rejoindre "+organization+" sur Rowhouse. Pour accepter, ouvrez ce lien\u00a0:",
			i.Link,
			"Le lien est destiné à "+i.To+" et est valable "+counted(i.Days, "jour", "jours")+". Si vous ne savez pas "+
				"de quoi il s’agit, ignorez cet e-mail.",
		)}
	},
	Comment: func(c Comment) Mail {
		did, record := "vous a mentionné dans un commentaire", ""
		if c.Reply {
			did = "a répondu dans un fil où vous avez écrit"
		}
		if c.Record != "" {
			record = "\nEnregistrement\u00a0: " + c.Record
		}
		return Mail{c.Author + " " + did, paragraphs(
			c.Author+" "+did+".",
			"Organisation\u00a0: "+c.Organization+"\nBase\u00a0: "+c.Base+"\nTable\u00a0: "+c.Table+record,
			"Pour lire le commentaire et y répondre, ouvrez ce lien\u00a0:",
			c.Link,
			"Pour ne plus recevoir ces e-mails, ouvrez cette page\u00a0:",
			c.Settings,
		)}
	},

	Notices: map[credential.Change]Notice{
		credential.PasswordChanged: {
			Subject: "Votre mot de passe a été changé",
			Text: "Le mot de passe de votre compte vient d’être changé, et les autres sessions ont été " +
				"déconnectées.",
			Advice: frenchReset,
		},
		credential.PasswordReset: {
			Subject: "Votre mot de passe a été réinitialisé",
			Of: func(string) string { // API keys and connected apps ended too
				return "Votre mot de passe vient d’être réinitialisé par un lien qui vous a été envoyé par e-mail. " +
					"Toutes les sessions ont été déconnectées, et toutes les clés d’API et les applications " +
					"connectées ont été révoquées."
			},
			Text: "Votre mot de passe vient d’être réinitialisé par un lien qui vous a été envoyé par e-mail. Toutes " +
				"les sessions ont été déconnectées.",
			Advice: frenchReset,
		},
		credential.AddressConfirmed: {
			Subject: "Votre adresse e-mail est confirmée",
			Text:    "Cette adresse e-mail vient d’être confirmée pour votre compte.",
			Advice:  frenchReset,
		},
		credential.AddressChanged: {
			Subject: "Votre compte a une autre adresse e-mail",
			Text: "Votre compte, qui avait cette adresse e-mail, vient d’en recevoir une autre. C’est désormais " +
				"avec celle-ci que l’on se connecte.",
			Advice: around("Si ce n’était pas vous, quelqu’un connaît votre mot de passe. Prévenez immédiatement les "+
				"personnes qui exploitent ce site\u00a0:\n\n", "/"),
		},
		credential.AccountDeleted: {
			Subject: "Votre compte a été supprimé",
			Text: "Votre compte vient d’être supprimé, avec ses sessions, ses clés d’API et ses applications " +
				"connectées.",
			Advice: around("Si ce n’était pas vous, quelqu’un connaissait votre mot de passe. Prévenez immédiatement "+
				"les personnes qui exploitent ce site\u00a0:\n\n", "/"),
		},
		credential.DeviceNew: {
			Subject: "Connexion à votre compte avec un nouveau navigateur",
			Of: around("Un navigateur qui n’avait encore jamais été utilisé avec votre compte s’y est connecté, "+
				"depuis l’adresse ", "."),
			Advice: frenchReset,
		},
		credential.AccountGuessed: {
			Subject: "Quelqu’un essaie de deviner votre mot de passe",
			Text: "Cent mots de passe incorrects ont été saisis à la suite pour votre compte\u00a0; aucun n’était le " +
				"bon. Tant que celui-ci n’a pas été saisi, on ne peut se connecter qu’avec les navigateurs que vous " +
				"avez déjà utilisés pour ce compte.",
			Advice: around("Si ce n’était pas vous, vous n’avez rien à faire. Pour vous connecter avec un autre "+
				"navigateur, définissez un nouveau mot de passe à l’adresse\n\n", "/forgot-password"),
		},
		credential.KeyCreated: {
			Subject: "Une clé d’API a été créée",
			Of:      around("La clé d’API «\u00a0", "\u00a0» vient d’être créée pour votre compte."),
			Advice:  frenchReview,
		},
		credential.KeyRotated: {
			Subject: "Une clé d’API a été renouvelée",
			Of:      around("La clé d’API «\u00a0", "\u00a0» de votre compte vient d’être remplacée par une nouvelle."),
			Advice:  frenchReview,
		},
		credential.KeyRevoked: {
			Subject: "Une clé d’API a été révoquée",
			Of:      around("La clé d’API «\u00a0", "\u00a0» de votre compte vient d’être révoquée."),
			Advice:  frenchReview,
		},
		credential.AppConnected: {
			Subject: "Une application a été connectée",
			Of:      around("L’application «\u00a0", "\u00a0» vient d’être connectée à votre compte."),
			Text:    "Une application vient d’être connectée à votre compte.",
			Advice:  frenchReview,
		},
		credential.AppDisconnected: {
			Subject: "Une application a été déconnectée",
			Of:      around("L’application «\u00a0", "\u00a0» vient d’être déconnectée de votre compte."),
			Text:    "Toutes les applications viennent d’être déconnectées de votre compte.",
			Advice:  frenchReview,
		},
		credential.WebhookCreated: {
			Subject: "Un webhook a été créé",
			Of: around("Le webhook «\u00a0", "\u00a0» vient d’être créé dans une organisation dont vous êtes "+
				"propriétaire. Il envoie les modifications d’une base à une URL."),
			Advice: frenchWebhookReview,
		},
		credential.WebhookRedirected: {
			Subject: "Un webhook a une autre URL",
			Of: around("Le webhook «\u00a0", "\u00a0» d’une organisation dont vous êtes propriétaire vient de "+
				"recevoir une autre URL, à laquelle sont désormais envoyées les modifications d’une base."),
			Advice: frenchWebhookReview,
		},
		credential.WebhookGone: frenchDisabled("son destinataire a répondu 410\u00a0: il ne veut plus de messages."),
		credential.WebhookFailing: frenchDisabled("son destinataire est en échec depuis cinq jours. Ce qui n’a pas " +
			"été remis attend\u00a0: le webhook reprend là où il s’est arrêté."),
		credential.WebhookOwner: frenchDisabled("la personne qui l’avait activé ne peut plus configurer de webhooks."),
		credential.WebhookHistory: frenchDisabled("il a pris trop de retard sur l’historique conservé. Certaines " +
			"modifications ne peuvent plus être envoyées\u00a0: faites relire les enregistrements par le " +
			"destinataire."),
		credential.WebhookFilter: frenchDisabled("son filtre ne convient plus aux champs de la table."),
	},
}

var (
	frenchReset = around("Si ce n’était pas vous, choisissez un nouveau mot de passe à l’adresse\n\n",
		"/forgot-password\n\net laissez cochée la case qui révoque toutes les clés d’API et les applications "+
			"connectées.")
	frenchReview = around("Si ce n’était pas vous, connectez-vous, vérifiez vos clés d’API et vos applications "+
		"connectées à l’adresse\n\n", "/account\n\net changez votre mot de passe.")
	frenchWebhookReview = around("Si personne de chez vous ne l’a fait, ouvrez la base à l’adresse\n\n", "/\n\net "+
		"supprimez le webhook, sous «\u00a0Webhooks\u00a0» dans son menu. Le journal d’audit de l’organisation "+
		"indique qui l’a configuré\u00a0: révoquez les clés de cette personne et mettez fin à ses sessions.")
)

func frenchDisabled(because string) Notice {
	return Notice{
		Subject: "Un webhook a été désactivé",
		Of:      around("Le webhook «\u00a0", "\u00a0» vient d’être désactivé, car "+because),
		Advice: around("Il n’envoie plus rien jusqu’à ce qu’un administrateur l’active de nouveau\u00a0: ouvrez la "+
			"base à l’adresse\n\n", "/\n\net choisissez «\u00a0Webhooks\u00a0» dans son menu, où se trouvent aussi "+
			"ses envois."),
	}
}
