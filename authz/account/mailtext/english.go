package mailtext

import (
	"fmt"
	"time"

	"github.com/rowhouse/rowhouse/authz/credential"
)

// English is the language of those of whom no other one is known.
var English = Text{
	Tag: "en",

	Greeting: func(name string) string {
		if name == "" {
			return "Hello,"
		}
		return "Hello " + name + ","
	},
	Moment: func(at time.Time) string { return at.UTC().Format("2 January 2006, 15:04 UTC") },

	Verify: func(link string, days int) Mail {
		return Mail{"Confirm your e-mail address", fmt.Sprintf(
			`please confirm that this is your e-mail address by opening

%s

The link works for %s. If you did not sign up, ignore this mail. Nobody can confirm your address
without it, and opening the link asks for the password of the account unless you are signed in.`,
			link, counted(days, "day", "days"))}
	},
	Address: func(link string) Mail {
		return Mail{"Use this e-mail address for your account", fmt.Sprintf(
			`somebody, hopefully you, wants to use this e-mail address for their account. To use it from now on, open

%s

The link works once, for a day, and asks for the password of the account unless you are signed in. If it was
not you, ignore this mail: nothing has changed.`, link)}
	},
	Reset: func(link string) Mail {
		return Mail{"Reset your password", fmt.Sprintf(
			`somebody, hopefully you, asked to reset the password of your account. To choose a new one, open

%s

The link works once, for an hour. All sessions are signed out when you use it, and all API keys and
connected apps end unless you want to keep them. If it was not you, ignore this mail: nothing has changed.`, link)}
	},
	Invitation: func(i Invitation) Mail {
		return Mail{"Invitation to " + i.Organization, fmt.Sprintf(
			`%s invites you to join %s on Rowhouse. To accept, open

%s

The link is meant for %s and works for %s. If you do not know what this is about, ignore it.`,
			i.Inviter, i.Organization, i.Link, i.To, counted(i.Days, "day", "days"))}
	},
	Comment: func(c Comment) Mail {
		did, record := "mentioned you in a comment", ""
		if c.Reply {
			did = "replied in a thread in which you wrote"
		}
		if c.Record != "" {
			record = "\nRecord: " + c.Record
		}
		return Mail{c.Author + " " + did, fmt.Sprintf(`%s %s.

Organization: %s
Base: %s
Table: %s%s

To read it and to answer, open

%s

To get no more of these mails, open

%s`, c.Author, did, c.Organization, c.Base, c.Table, record, c.Link, c.Settings)}
	},

	Notices: map[credential.Change]Notice{
		credential.PasswordChanged: {
			Subject: "Your password was changed",
			Text:    "The password of your account was just changed, and other sessions were signed out.",
			Advice:  englishReset,
		},
		credential.PasswordReset: {
			Subject: "Your password was reset",
			Of: func(string) string { // API keys and connected apps ended too
				return "Your password was just reset with a link that was mailed to you. All sessions were signed " +
					"out, and all API keys and connected apps ended."
			},
			Text: "Your password was just reset with a link that was mailed to you. All sessions were signed " +
				"out.",
			Advice: englishReset,
		},
		credential.AddressConfirmed: {
			Subject: "Your e-mail address is confirmed",
			Text:    "This e-mail address was just confirmed for your account.",
			Advice:  englishReset,
		},
		credential.AddressChanged: {
			Subject: "Your account has another e-mail address",
			Text: "Your account, which had this e-mail address, just got another one, and you sign in with that " +
				"from now on.",
			Advice: around("If that was not you, somebody has your password. Tell whoever runs\n\n", "/\n\nat once."),
		},
		credential.AccountDeleted: {
			Subject: "Your account was deleted",
			Text:    "Your account was just deleted, with its sessions, API keys and connected apps.",
			Advice:  around("If that was not you, somebody had your password. Tell whoever runs\n\n", "/\n\nat once."),
		},
		credential.DeviceNew: {
			Subject: "A new browser signed in to your account",
			Of: around("A browser that had not been used with your account before signed in, from the address ",
				"."),
			Advice: englishReset,
		},
		credential.AccountGuessed: {
			Subject: "Somebody guesses at your password",
			Text: "A hundred wrong passwords in a row were given for your account. None of them was right. Until the " +
				"right one is given, it can be given only in browsers that you have signed in with before.",
			Advice: around("If those were not you, you need not do anything. To sign in with another browser, set a "+
				"new password at\n\n", "/forgot-password"),
		},
		credential.KeyCreated: {
			Subject: "An API key was created",
			Of:      around(`The API key "`, `" was just created for your account.`),
			Advice:  englishReview,
		},
		credential.KeyRotated: {
			Subject: "An API key was rotated",
			Of:      around(`The API key "`, `" of your account was just replaced by a new one.`),
			Advice:  englishReview,
		},
		credential.KeyRevoked: {
			Subject: "An API key was revoked",
			Of:      around(`The API key "`, `" of your account was just revoked.`),
			Advice:  englishReview,
		},
		credential.AppConnected: {
			Subject: "An application was connected",
			Of:      around(`The application "`, `" was just connected to your account.`),
			Text:    "An application was just connected to your account.",
			Advice:  englishReview,
		},
		credential.AppDisconnected: {
			Subject: "An application was disconnected",
			Of:      around(`The application "`, `" was just disconnected from your account.`),
			Text:    "All applications were just disconnected from your account.",
			Advice:  englishReview,
		},
		credential.WebhookCreated: {
			Subject: "A webhook was created",
			Of: around(`The webhook "`, `" was just created in an organization that you own. It sends changes of a `+
				"base to a URL."),
			Advice: englishWebhookReview,
		},
		credential.WebhookRedirected: {
			Subject: "A webhook got another URL",
			Of: around(`The webhook "`, `" of an organization that you own just got another URL, which changes of a `+
				"base go to now."),
			Advice: englishWebhookReview,
		},
		credential.WebhookGone: englishDisabled("its receiver answered 410: it does not want messages any more."),
		credential.WebhookFailing: englishDisabled("its receiver has failed for five days. What was not delivered " +
			"waits: the webhook goes on where it stopped."),
		credential.WebhookOwner: englishDisabled("the person who had enabled it may no longer set up webhooks."),
		credential.WebhookHistory: englishDisabled("it had fallen behind the history that is kept. Some changes " +
			"cannot be sent any more: let the receiver read the records anew."),
		credential.WebhookFilter: englishDisabled("its filter no longer fits the fields of the table."),
	},
}

var (
	englishReset = around("If that was not you, choose a new password at\n\n", "/forgot-password\n\n"+
		"and leave the box ticked that ends all API keys and connected apps.")
	englishReview = around("If that was not you, sign in, look at your API keys and connected apps at\n\n",
		"/account\n\nand change your password.")
	englishWebhookReview = around("If nobody of yours did this, open the base at\n\n", "/\n\nand delete the webhook "+
		"under Webhooks in its menu. The audit log of the organization says who set it up: end that person's "+
		"sessions and keys.")
)

func englishDisabled(because string) Notice {
	return Notice{
		Subject: "A webhook was disabled",
		Of:      around(`The webhook "`, `" was just disabled, because `+because),
		Advice: around("It sends nothing more until an administrator enables it again: open the base at\n\n",
			"/\n\nand choose Webhooks in its menu, where its deliveries are as well."),
	}
}
