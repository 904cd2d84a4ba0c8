package text

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/internal/longdate"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

var frenchDays = [...]string{"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"}

var frenchRoles = map[string]string{
	"owner": "propriétaire", "admin": "admin", "editor": "éditeur", "viewer": "lecteur", "guest": "invité",
}

// French is for readers whose browsers ask for it.
var French = Text{
	Tag: "fr",

	Share: Share{
		Locked: "Mot de passe requis", NotShared: "Non partagé", NotFound: "Introuvable",
		Gone: "Ce lien ne mène à aucune base, ou la base n’est plus partagée. Demandez un nouveau lien à la " +
			"personne qui vous l’a donné.",
		SkipToRecords: "Aller aux enregistrements", Editable: "Modifiable", ReadOnly: "Lecture seule",
		SharedBy:    "Partagé via",
		LockedLabel: "Ce lien demande un mot de passe", LockedStill: "Ce n’est pas le mot de passe de ce lien.",
		Open:     "Ouvrir",
		NoTables: "Cette base n’a pas encore de tables.", Tables: "Tables", Views: "Vues",
		Saved: "Enregistré.", SearchRecords: "Rechercher dans les enregistrements", NewRecord: "Nouvel enregistrement",
		Change:     "Modifier",
		AllInTable: "Tous sont dans le tableau.", Pages: "Pages", Previous: "Précédente", Next: "Suivante",
		Board: "Tableau kanban", Record: "Enregistrement", EmptyMonth: "Il n’y a rien ce mois-ci.",
		Chart: "Graphique", MoreGroups: "Il y a d’autres groupes.", RecordCount: "Nombre d’enregistrements",
		Over: "plus que la limite",
		First: func(count, of int64) string {
			return fmt.Sprintf("Les %d premiers enregistrements sur %d.", count, of)
		},
		NoHit: func(searched string) string {
			return "Aucun enregistrement ne contient «\u00a0" + searched + "\u00a0»."
		},
		Range: func(from, to, of int64) string { return fmt.Sprintf("%d–%d sur %d", from, to, of) },
		By:    func(value, group string) string { return value + ", par " + group },
		Show: names(map[string]string{
			"grid": "Afficher en tableau", "gallery": "Afficher en galerie", "kanban": "Afficher en kanban",
			"calendar": "Afficher en calendrier", "timeline": "Afficher en chronologie",
			"chart": "Afficher en graphique",
		}),
	},
	Print: Print{
		All: "Tous les enregistrements",
		Gone: "Cette vue n’existe pas, ou vous ne la voyez pas. Ouvrez-la dans Rowhouse et imprimez-la depuis le " +
			"menu de ses outils.",
		First: func(count, of int64) string {
			return fmt.Sprintf("les %d premiers enregistrements sur %d", count, of)
		},
		Filtered: func(fields []string) string { return "Filtré par " + strings.Join(fields, ", ") },
		Searched: func(text string) string { return "Enregistrements avec «\u00a0" + text + "\u00a0»" },
		Sum: names(map[string]string{
			"count": "Remplis", "distinct": "Différents", "sum": "Somme", "avg": "Moyenne", "median": "Médiane",
			"min": "Min", "max": "Max",
		}),
	},
	Form: Form{
		Preview: "Ceci est un aperçu. Le formulaire est tel que le voient les personnes qui ont son lien, et rien " +
			"ne peut être envoyé.",
		SendAnother: "Envoyer une autre réponse", Sent: "Merci. Votre réponse a été envoyée.",
		SentBefore: "Cette réponse est déjà arrivée et n’est enregistrée qu’une fois. Pour en envoyer une autre, " +
			"rouvrez le formulaire.",
		Kept: [3]string{
			"Vous pourrez modifier votre réponse plus tard. Conservez ", "le lien vers votre réponse",
			"\u00a0: toute personne qui a ce lien peut lire et modifier la réponse.",
		},
		Back: "Retour à la liste", Changes: "Vos modifications s’appliquent pour tout le monde.",
		Editing:     "Voici votre réponse telle qu’elle est. Ce que vous modifiez la remplace.",
		NeedsScript: "Ce formulaire a besoin de JavaScript, pour un contrôle contre le spam.",
		Submit:      "Envoyer", Save: "Enregistrer", PageBack: "Retour", Required: "(obligatoire)",
		MadeWith: "Créé avec", Warning: "N’envoyez jamais de mots de passe par un formulaire.",

		Closed:      "Ce formulaire n’accepte plus de réponses.",
		AnswerGone:  "Ce lien ne mène à aucune réponse, ou elle ne peut plus être modifiée.",
		RecordGone:  "Cet enregistrement n’est plus dans la liste.",
		TooLate:     "Cette page est restée ouverte trop longtemps. Rien n’est perdu\u00a0: renvoyez le formulaire.",
		NotFinished: "Le contrôle contre le spam n’était pas terminé. Envoyez encore une fois.",
		Again:       "Certaines réponses sont à revoir.",
		AgainRecord: "Certaines valeurs sont à revoir.",
		Impossible: "On ne peut pas répondre à ce formulaire pour le moment. Dites-le à la personne qui vous a " +
			"donné le lien.",
		NotSaved: "L’enregistrement est impossible pour le moment. Dites-le à la personne qui vous a donné le lien.",
		Lacks: "La table exige une valeur que le formulaire ne demande pas. Dites-le à la personne qui vous a donné " +
			"le lien.",
		BadLink: "Il manque une valeur dans le lien de ce formulaire, ou l’une ne convient pas. Demandez un autre " +
			"lien.",
		Given:       "La réponse doit être unique, et quelqu’un a déjà répondu ainsi.",
		GivenOne:    "L’une de ces réponses doit être unique, et quelqu’un l’a déjà donnée.",
		Taken:       "La valeur doit être unique, et un autre enregistrement l’a déjà.",
		OutOfView:   "Avec ces valeurs, l’enregistrement ne serait pas dans la liste. Rien n’a été enregistré.",
		FileNotHere: "Ce fichier n’a pas été envoyé avec cette réponse. Retirez-le et ajoutez-le de nouveau.",
		NoRoom: "Ce formulaire ne peut pas recevoir de fichiers pour le moment. Dites-le à la personne qui vous a " +
			"donné le lien.",
		UploadLate: "La page est restée ouverte trop longtemps. Envoyez le formulaire et ajoutez le fichier sur la " +
			"page qui suit.",

		Continue: func(host string) string { return "Continuer vers " + host },
		Remove:   func(file string) string { return "Retirer " + file },
		Files: func(most int, kinds []string, megabytes int) string {
			count := "Un fichier"
			if most > 1 {
				count = fmt.Sprintf("Jusqu’à %d fichiers", most)
			}
			each := ""
			if most > 1 {
				each = " chacun"
			}
			return fmt.Sprintf("%s, de %d Mo au plus%s%s.", count, megabytes, each, list("\u00a0: ", kinds))
		},
		FileKind: names(map[string]string{
			"image/*": "images", "application/pdf": "PDF", "video/*": "vidéos", "audio/*": "sons",
		}),
		RequiredAt: "À remplir.",
		Wrong: wrong("Cette valeur n’est pas possible ici.", map[field.Ask]string{
			field.AskNumber:   "Saisissez un nombre.",
			field.AskDate:     "Saisissez une date.",
			field.AskMoment:   "Saisissez une date et une heure.",
			field.AskDuration: "Saisissez une durée, par exemple 1:30.",
			field.AskEmail:    "Saisissez une adresse e-mail.",
			field.AskURL:      "Saisissez une adresse qui commence par https://.",
			field.AskOption:   "Choisissez l’une des possibilités.",
			field.AskOptions:  "Choisissez parmi les possibilités.",
			field.AskFiles:    "Ces fichiers ne sont pas possibles ici.",
		}),
		Script: Script{
			Next: "Suivant", Place: "Page {page} sur {pages}", NotArrived: "Il n’est pas arrivé.",
			ManyUploads: "Trop de fichiers ont été envoyés avec cette réponse. Envoyez-la, puis une autre.",
			Remove:      "Retirer {name}", Preview: "Un aperçu n’envoie rien.", Sending: "Envoi de {name}…",
			MostFiles: "{name}\u00a0: {most} fichiers au plus.", Large: "{name} dépasse 20 Mo.",
			Wait:     "Des fichiers sont encore en cours d’envoi. Patientez un instant.",
			Checking: "Vérification que ceci n’est pas du spam…",
		},
	},

	Account: Account{
		SignIn: "Se connecter", SignUp: "Créez votre compte", SignOut: "Se déconnecter",
		StaySignedIn: "Rester connecté",
		SigningOut:   "Vous serez déconnecté de ce navigateur.",
		Email:        "E-mail", Password: "Mot de passe", Name: "Votre nom", Organization: "Organisation",
		NewPassword: "Nouveau mot de passe",
		Forgot:      "Mot de passe oublié\u00a0?", New: "Nouveau ici\u00a0?", Create: "Créer un compte",
		CreateAccount: "Créer le compte", Have: "Vous avez déjà un compte\u00a0?",
		Lead: "Un espace pour vos données\u00a0: dans le navigateur, par une API et " +
			"pour les assistants IA.",
		OrganizationHint: "Votre entreprise, votre équipe ou votre foyer. Vous pourrez inviter d’autres personnes.",
		PasswordHint:     "Au moins 10 caractères. Quelques mots sans rapport entre eux conviennent bien.",
		ResetTitle:       "Réinitialiser le mot de passe",
		ResetLead:        "Nous vous enverrons un lien pour en choisir un nouveau.",
		ResetSend:        "Envoyer le lien", BackToSignIn: "Retour à la connexion",
		ChooseTitle: "Choisissez un nouveau mot de passe",
		Revoke:      "Révoquer toutes les clés d’API et les applications connectées",
		RevokeHint: "Laissez cette case cochée si quelqu’un d’autre a pu utiliser votre compte, car les clés créées " +
			"alors resteraient valables.",
		RevokeAll: "Toutes les clés d’API et les applications connectées de ce compte sont révoquées, car son " +
			"adresse n’a jamais été confirmée.",
		SetPassword: "Définir le mot de passe",
		VerifyTitle: "Confirmez votre adresse", Verify: "Oui, la confirmer",
		VerifyHint: "Le mot de passe du compte de cette adresse. Il n’est pas nécessaire dans un navigateur où " +
			"vous êtes connecté.",
		AddressTitle: "Changer votre adresse", Change: "Oui, la changer",
		ChangeHint: "Le mot de passe du compte. Il n’est pas nécessaire dans un navigateur où vous êtes connecté.",
		NotYours: "Ce n’est pas votre compte\u00a0? Fermez cette page\u00a0: quelqu’un s’est trompé en saisissant " +
			"son adresse.",
		Join: "Rejoindre", SignInToJoin: "Connectez-vous pour accepter l’invitation.", SignOutToJoin: "Se " +
			"déconnecter et continuer",
		CreateAndJoin: "Créer le compte et accepter",
		Continue:      "Continuer", ThankYou: "Merci", CheckMail: "Consultez vos e-mails",
		Sent: "S’il existe un compte avec cette adresse, nous y avons envoyé un lien pour choisir un nouveau mot de " +
			"passe. Il est valable une heure.",
		Confirmed:    "Votre adresse e-mail est confirmée.",
		Changed:      "Votre compte a la nouvelle adresse e-mail. Utilisez-la désormais pour vous connecter.",
		AfterReset:   "Votre mot de passe a été changé. Connectez-vous avec le nouveau.",
		AfterSignOut: "Vous êtes déconnecté.",
		WentWrong:    "Une erreur s’est produite", PageNotFound: "Page introuvable", TryLater: "Réessayez plus tard",
		ElsewhereForm: "Ce formulaire a été envoyé depuis un autre site. Ouvrez la page ici et réessayez.",
		TooLarge:      "Le formulaire est trop volumineux.", Unread: "Le formulaire n’a pas pu être lu.",
		For:       [2]string{"Pour ", ". Vous serez déconnecté partout ailleurs."},
		Verifying: [2]string{"L’adresse ", " est-elle la vôtre\u00a0?"},
		Changing:  [3]string{"Utiliser ", " pour votre compte au lieu de ", "\u00a0?"},
		NotSignedUp: [2]string{
			"Vous n’avez pas créé de compte\u00a0? Fermez cette page\u00a0: quelqu’un d’autre a utilisé votre " +
				"adresse. Pour reprendre le compte, ",
			"réinitialisez son mot de passe",
		},
		JoinTitle: func(organization string) string { return "Rejoindre " + organization },
		Invited: func(by, organization, role string) string {
			invited := "Vous êtes invité"
			if by != "" {
				invited = by + " vous invite"
			}
			return fmt.Sprintf("%s à rejoindre %s. Votre rôle\u00a0: %s.", invited, organization,
				cmp.Or(frenchRoles[role], role))
		},
		SignedInAs: func(email string) string { return "Vous êtes connecté en tant que " + email + "." },
		ForSomebodyElse: func(email, present string) string {
			return fmt.Sprintf("L’invitation est pour %s, mais vous êtes connecté en tant que %s.", email, present)
		},
		HasAccount: func(email string) string { return "Il existe un compte pour " + email + "." },
	},
	Refused: Refused{
		SignIn: "L’adresse e-mail ou le mot de passe est incorrect.",
		Guessed: "Trop de mots de passe incorrects ont été saisis pour cette adresse. Connectez-vous avec un " +
			"navigateur déjà utilisé pour elle, ou définissez un nouveau mot de passe par un lien envoyé par e-mail.",
		Attempts:         "Trop de tentatives de connexion à ce compte. Réessayez dans quelques secondes.",
		HasAccount:       "Cette adresse e-mail a déjà un compte. Connectez-vous, ou réinitialisez le mot de passe.",
		AccountThere:     "Elle a déjà un compte.",
		LinkEnded:        "Ce lien n’est plus valable\u00a0: il a été utilisé, a expiré ou est incomplet.",
		NotOfAccount:     "Ce n’est pas le mot de passe du compte.",
		NotOfThisAccount: "Ce n’est pas le mot de passe de ce compte.",
		PasswordChanged:  "Le mot de passe vient d’être changé. Connectez-vous avec le nouveau.",
		NoMail: "Ce service n’envoie pas d’e-mails, car aucun envoi n’est configuré. Demandez à qui " +
			"l’exploite.",
		MailFailed: "L’e-mail n’a pas pu être envoyé. Réessayez dans un instant.",
		Short:      "Il faut au moins 10 caractères. Plusieurs mots conviennent bien.",
		OwnName:    "Ce ne peut être ni votre nom ni votre adresse.",
		Common: "C’est l’un des 100\u202f000 mots de passe les plus fréquents dans les fuites de données, et donc " +
			"l’un des premiers que l’on essaie. Plusieurs mots sans rapport entre eux conviennent bien.",
		NoAddress: "Il faut une adresse e-mail, par exemple kari@example.com.",
		Empty:     "À remplir.",
		Nobody:    "Personne n’est connecté.",
		Guessable: "Il est facile à deviner. Plusieurs mots sans rapport entre eux conviennent bien.",
		Long:      func(characters string) string { return characters + " caractères au plus sont possibles." },
		Files:     func(most string) string { return most + " fichiers au plus sont possibles." },
		Between: func(low, high string) string {
			return "Choisissez un nombre entier de " + low + " à " + high + "."
		},
		NoPage: func(path string) string { return "Il n’y a pas de page à l’adresse " + path + "." },
	},

	Untitled: "Enregistrement sans titre", FormerMember: "Ancien membre", File: "Fichier",
	NoRecords: "Il n’y a pas d’enregistrements.", Search: "Rechercher", Edit: "Modifier",
	More: func(count int) string { return fmt.Sprintf("et %d de plus", count) },
	None: func(field string) string { return "Sans «\u00a0" + field + "\u00a0»" },
	Checked: func(field string, checked bool) string {
		return field + "\u00a0: " + map[bool]string{true: "oui", false: "non"}[checked]
	},
	Of: func(function, field string) string {
		of := map[string]string{
			"count": "Nombre de valeurs", "distinct": "Nombre de valeurs différentes", "sum": "Somme",
			"avg": "Moyenne", "median": "Médiane", "min": "Plus petite valeur", "max": "Plus grande valeur",
		}[function]
		if of == "" {
			return ""
		}
		return of + " de «\u00a0" + field + "\u00a0»"
	},
	Records: func(count int64) string {
		if count < 2 {
			return number(count) + " enregistrement"
		}
		return number(count) + " enregistrements"
	},
	Month:   func(day time.Time) string { return fmt.Sprintf("%s %d", longdate.FrenchMonth(day), day.Year()) },
	Day:     func(day time.Time) string { return fmt.Sprintf("%s %d", longdate.French(day), day.Year()) },
	DayName: func(day time.Time) string { return frenchDays[day.Weekday()] + " " + longdate.French(day) },
	Weekday: func(day time.Time) string { return frenchDays[day.Weekday()][:3] },
	Quarter: func(number, year int) string { return fmt.Sprintf("T%d %d", number, year) },
	Moment: func(at time.Time) string {
		return fmt.Sprintf("%s %d, %s", longdate.French(at), at.Year(), at.Format("15:04"))
	},
	Failed: "Une erreur s’est produite de notre côté. Réessayez dans un instant.",
	FileExpired: "Le lien vers ce fichier a expiré, car ces liens ne sont valables que quelques minutes. Revenez à " +
		"la page où vous l’avez trouvé, rechargez-la et ouvrez le fichier de nouveau.",
	TooMany: "Trop de tentatives ou de requêtes ont été faites. Réessayez dans quelques minutes.",
}
