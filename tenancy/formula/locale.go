package formula

import (
	"maps"
	"slices"
	"strings"
)

// locales are the words of dates in other languages than English, which gate.formula_locale has:
// months and days of the week, long and short, the halves of a day, the forms L, LL and LT (with !
// for a comma), and what follows a number that orders.
var locales = map[string]string{
	"de": "Januar,Februar,März,April,Mai,Juni,Juli,August,September,Oktober,November,Dezember," +
		"Jan.,Feb.,März,Apr.,Mai,Juni,Juli,Aug.,Sep.,Okt.,Nov.,Dez.," +
		"Sonntag,Montag,Dienstag,Mittwoch,Donnerstag,Freitag,Samstag,So.,Mo.,Di.,Mi.,Do.,Fr.,Sa.," +
		"AM,PM,DD.MM.YYYY,D. MMMM YYYY,HH:mm,.",
	"fr": "janvier,février,mars,avril,mai,juin,juillet,août,septembre,octobre,novembre,décembre," +
		"janv.,févr.,mars,avr.,mai,juin,juil.,août,sept.,oct.,nov.,déc.," +
		"dimanche,lundi,mardi,mercredi,jeudi,vendredi,samedi,dim.,lun.,mar.,mer.,jeu.,ven.,sam.," +
		"AM,PM,DD/MM/YYYY,D MMMM YYYY,HH:mm,e",
	"es": "enero,febrero,marzo,abril,mayo,junio,julio,agosto,septiembre,octubre,noviembre,diciembre," +
		"ene.,feb.,mar.,abr.,may.,jun.,jul.,ago.,sep.,oct.,nov.,dic.," +
		"domingo,lunes,martes,miércoles,jueves,viernes,sábado,dom.,lun.,mar.,mié.,jue.,vie.,sáb.," +
		"AM,PM,DD/MM/YYYY,D [de] MMMM [de] YYYY,H:mm,º",
	"it": "gennaio,febbraio,marzo,aprile,maggio,giugno,luglio,agosto,settembre,ottobre,novembre,dicembre," +
		"gen,feb,mar,apr,mag,giu,lug,ago,set,ott,nov,dic," +
		"domenica,lunedì,martedì,mercoledì,giovedì,venerdì,sabato,dom,lun,mar,mer,gio,ven,sab," +
		"AM,PM,DD/MM/YYYY,D MMMM YYYY,HH:mm,º",
	"pt": "janeiro,fevereiro,março,abril,maio,junho,julho,agosto,setembro,outubro,novembro,dezembro," +
		"jan,fev,mar,abr,mai,jun,jul,ago,set,out,nov,dez," +
		"domingo,segunda-feira,terça-feira,quarta-feira,quinta-feira,sexta-feira,sábado,dom,seg,ter,qua,qui,sex,sáb," +
		"AM,PM,DD/MM/YYYY,D [de] MMMM [de] YYYY,HH:mm,º",
	"nl": "januari,februari,maart,april,mei,juni,juli,augustus,september,oktober,november,december," +
		"jan.,feb.,mrt.,apr.,mei,jun.,jul.,aug.,sep.,okt.,nov.,dec.," +
		"zondag,maandag,dinsdag,woensdag,donderdag,vrijdag,zaterdag,zo.,ma.,di.,wo.,do.,vr.,za.," +
		"AM,PM,DD-MM-YYYY,D MMMM YYYY,HH:mm,e",
	"sv": "januari,februari,mars,april,maj,juni,juli,augusti,september,oktober,november,december," +
		"jan,feb,mar,apr,maj,jun,jul,aug,sep,okt,nov,dec," +
		"söndag,måndag,tisdag,onsdag,torsdag,fredag,lördag,sön,mån,tis,ons,tor,fre,lör," +
		"AM,PM,YYYY-MM-DD,D MMMM YYYY,HH:mm,:e",
	"da": "januar,februar,marts,april,maj,juni,juli,august,september,oktober,november,december," +
		"jan.,feb.,mar.,apr.,maj,juni,juli,aug.,sep.,okt.,nov.,dec.," +
		"søndag,mandag,tirsdag,onsdag,torsdag,fredag,lørdag,søn,man,tir,ons,tor,fre,lør," +
		"AM,PM,DD.MM.YYYY,D. MMMM YYYY,HH:mm,.",
	"nb": "januar,februar,mars,april,mai,juni,juli,august,september,oktober,november,desember," +
		"jan.,feb.,mars,apr.,mai,juni,juli,aug.,sep.,okt.,nov.,des.," +
		"søndag,mandag,tirsdag,onsdag,torsdag,fredag,lørdag,sø.,ma.,ti.,on.,to.,fr.,lø.," +
		"AM,PM,DD.MM.YYYY,D. MMMM YYYY,HH:mm,.",
	"fi": "tammikuu,helmikuu,maaliskuu,huhtikuu,toukokuu,kesäkuu,heinäkuu,elokuu,syyskuu,lokakuu,marraskuu,joulukuu," +
		"tammi,helmi,maalis,huhti,touko,kesä,heinä,elo,syys,loka,marras,joulu," +
		"sunnuntai,maanantai,tiistai,keskiviikko,torstai,perjantai,lauantai,su,ma,ti,ke,to,pe,la," +
		"AM,PM,DD.MM.YYYY,Do MMMM[ta] YYYY,HH.mm,.",
	"pl": "stycznia,lutego,marca,kwietnia,maja,czerwca,lipca,sierpnia,września,października,listopada,grudnia," +
		"sty,lut,mar,kwi,maj,cze,lip,sie,wrz,paź,lis,gru," +
		"niedziela,poniedziałek,wtorek,środa,czwartek,piątek,sobota,ndz,pon,wt,śr,czw,pt,sob," +
		"AM,PM,DD.MM.YYYY,D MMMM YYYY,HH:mm,.",
}

// sameLocales are other names of languages.
var sameLocales = map[string]string{"no": "nb", "nn": "nb", "us": "en"}

// localeKey is the language of a name such as de-CH, of which regions make no difference here.
func localeKey(name string) string {
	key, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(name), "_", "-"), "-")
	if same := sameLocales[key]; same != "" {
		return same
	}
	return key
}

func localeNames() []string {
	return append([]string{"en"}, slices.Sorted(maps.Keys(locales))...)
}

// words are those of a language as gate.formula_format takes them.
func words(locale string) string {
	if locales[locale] == "" {
		return "null"
	}
	return "string_to_array(" + literalText(locales[locale]) + ", ',')"
}
