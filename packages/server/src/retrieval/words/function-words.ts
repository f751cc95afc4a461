// The words that make sentences, and little else, in the languages of eval/languages/ that are written in
// Latin letters. None is a word of English, or a part of names, as "de", "la" and "van" are. One that stands
// here with its accents is another word without them; any other stands for itself with accents and without.
const BY_LANGUAGE = {
  German: `aber auch auf aus bei beim bist deine deinen deiner dem dich durch ein eine einem einen
    einer eines für gegen gibt habe haben hat hatte ich ihm ihn ihnen ihr ihre ihrem ihren
    ihrer ist kann kein keine keinen macht mein meine meinem meinen meiner mich mir mit muss
    nach nicht noch oder ohne schon sehr seine seinem seinen seiner seit sich sie sind soll
    und uns unser unsere unserem unseren unserer vom von wann warum welche welchem welchen
    welcher welches wem wenn wer werden wessen wie wieso wir wird wo woher wohin womit
    worauf wovon zu zum zur zwischen`,
  French: `avec avez ces cette combien dans dois elle elles est et etait etes fait faut ils je les
    leur leurs lui mes nos notre nous ont où pas peut pour pourquoi qu quand quel quelle
    quelles quels qui quoi sa sont suis tres une vont vos votre vous`,
  Spanish: `como con cual cuales cuando cuanta cuantas cuanto cuantos donde ella ellos entre esa ese
    esta estan esto estoy fue hace hacer hasta más muy nuestra nuestro para pero por porque
    puede puedo que quien quienes su sus tambien tengo tiene tienen una`,
  Italian: `anche avere che chi come con cosa cui dove è fa hanno ho loro lui mie miei mio nostra
    nostro perche piu può qual quale quali quando quanta quante quanti quanto questa questo
    sei si sono sta sua suo suoi tra una uno vuole`,
  Portuguese: `à até com como dela dele é ela ele eles em entre essa esse esta estao estou faz fazer
    foi isso isto lhe mais meu meus minha minhas muito na nao nas num numa onde para porque
    posso pra quais qual quando quantas quanto quantos quem seu seus sua suas tambem tem
    tenho tinha um uma vai voce`,
  Dutch: `aan als bij deze doen doet een gaan gaat geen hebben hebt heeft hem het hij hoe hoeveel
    ik je jij jou jouw komt kun kunnen maar meer met mij mijn moet moeten naar niet nog onze
    ook op te tot uit uw veel voor waar waarin waarom waarvoor wanneer welk welke werd
    wij worden wordt ze zich zij zijn`,
  Polish: `aby bardzo czego czemu czy czyj czym dla dlaczego gdy gdzie ile jak jaka jaki jakich
    jakie jakiej jakim jego jej jestem kiedy kogo komu kto ktora ktore ktorej ktory ktorych
    ktorym maja mnie moge moich moim moja moje mojego mojej moze mozna na nas nasz nasza
    nasze nie od oni przed przez przy sa sie skad tego tej za`,
  Turkish: `ama ancak bana beni benim bir biz bize bizim bu bunu cok daha degil diye gibi hangi
    hangisi icin ile ise kac kadar kimde kime kimin kiminle nasil ne neden nedir neler
    nerede nereden neresi nereye niye olan olarak olur onlar onu onun sen senin siz sonra
    veya yok zaman`,
  Swedish: `är åt att av blev bli blir det detta din ditt efter eller ett får fick finns för från
    gor hade han hans hennes hon honom hur inte jag kommer med mycket nagon när och över på
    sig sin sina sitt ska skulle som upp ut vad vår våra varfor vem vems vid vilka vilken
    vilket`,
  Danish: `blev bliver både denne deres er disse få får gå går gør havde hende hendes hun hvad hvem hvilke
    hvilken hvilket hvis hvor hvordan hvorfor hvorhen hvornar hvornår ikke jeg kunne lidt mellem mig
    nogen noget nogle og også siden skal uden være vores været`,
  Norwegian: `av ble bruker både deg dere etter hennes henne hva hvem hvilke hvilken hvilket hvor hvordan
    hvorfor ikke jeg mellom mye når nå noe noen og også opp seg skal uten vært vår våre`,
  Finnish: `ei eika eikä että hän hanella hanelle hanen hanet ja joka jonka jos kanssa kauanko keiden
    kenella kenelle kenen kenestä kenet ketka keta ketä koska kuin kuinka kuka mihin mikä miksi
    milloin millainen millaisia millaisen millä milta minka minkalainen minne minua minulla minulle
    minulta minun minut minä missä mistä miten mitka mitä moneltako monesko monta montako mutta myös
    niin näin olen olet oli olisi olla onko ovat paljonko pitaa pitää sitä tämä vai voi voiko
    voin`,
  Czech: `aby bude byl byla bylo být ceho čem cemu či čí čím jaké jakeho jakem jakou jaký jakym jejich
    jejim jeho její jsem jsi jsme jsou jste kdo kdy kdyz kolik kolika kolikateho kterém ktera ktere
    ktereho kterem kterou ktery kterych kterym kvuli mají mám máme mého mnou moje mou muj mým nás náš
    nebo nejsem neni než odkud proč před přes při sveho svou svuj také takze už vám vás že`,
  Hungarian: `aki az azert azt csak egy egyik előtt elott és éves hány hanyadik hanyan hanyas hanyat
    hanykor hogy hogyan hol honnan hova hová ki kihez kinek kinél kivel kozott között lehet lesz mekkora még mely
    melyik melyikben melyiket mellett mennyi mennyibe mennyien mennyire mennyit merre mettol meddig
    miatt miben mibol mikor milyen mire mirol mit mitol mivel miert már nagyon nálam neki nekem
    nem nincs ő pedig soha szerint után utan vagy vagyok vannak vele velem`,
  Romanian: `această aceasta acolo avea avem cât câte câți câtă cărei căreia cand către ce cea cel cine
    cu cui dupa ei este foarte fost iar îi îl îmi în intre își îți mea mei meu noastra
    nostru nu pe pentru poate prin să sau său sunt trebuie unde unei unui vreau`,
  Indonesian: `ada adalah akan aku apa apakah atau bagaimana bagi bahwa banyak belum berapa bisa bukan
    dalam dapat dari dengan dia dimana hanya harus itu juga kalau kamu kapan karena ke lebih
    mengapa mereka milik nya oleh pada punya saat saja sama sangat saya sebagai sedang
    seorang seperti siapa sudah telah tentang tidak untuk yang`,
  Vietnamese: `anh bạn bằng bao bị các cái chị cho chua có của cũng đã đang đâu để đi đó duoc được em
    gì hay khi khong là làm lúc mấy mình một nào này nguoi nhiêu như nhung ở ra rất sao sẽ
    tại thế thì toi trong từ vào về vì với`,
}

export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  Object.values(BY_LANGUAGE).flatMap((words) => words.split(/\s+/)),
)
