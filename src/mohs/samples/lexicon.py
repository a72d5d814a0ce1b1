"""What topics are about, and how else one may say it.

A topic asks for an aspect of a thing somewhere. Each of these has three phrases without
a content word in common: the one of the topic's title first, then two others that a
searcher or an author may prefer. The lists have coprime lengths, see `topic_title`.
"""

from __future__ import annotations


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split(" / ")) for line in text.strip().splitlines())


THINGS = _phrases("""
harbour dredging / port deepening / silt removal
solar roof / photovoltaic panels / sunlight power
urban beehive / city apiary / rooftop honey
river ferry / passenger boat / crossing vessel
school meal / pupil lunch / canteen food
glacier / ice cap / frozen summit
night train / sleeper carriage / overnight rail
wheat rust / cereal blight / grain fungus
lighthouse / coastal beacon / shipping lamp
coral reef / atoll / tropical seabed
tram network / streetcar lines / light railway
peat bog / moorland / wetland soil
hospital laundry / clinic linen / sterile washing
salmon farm / fish cages / aquaculture
folk music / traditional songs / fiddle ballads
earthquake alarm / seismic siren / tremor detector
cheese cellar / dairy cave / rind ripening
public library / lending books / reading room
desert highway / arid road / dune motorway
mountain rescue / alpine patrol / climber search
ceramic tile / glazed pottery / kiln slab
radio telescope / dish antenna / astronomy array
orchard frost / fruit chill / blossom freeze
bicycle lane / cycle path / bike route
whale watching / cetacean cruise / dolphin spotting
tunnel ventilation / underground airflow / shaft fans
seed bank / germplasm vault / crop gene store
vineyard / grape grower / wine estate
flood barrier / dyke / storm surge gate
clock tower / belfry / chiming steeple
wild boar / feral pigs / forest swine
paper mill / pulp factory / cellulose plant
sign language / deaf interpreters / manual gestures
""")
ASPECTS = _phrases("""
permits / licences / official consent
subsidies / state aid / grants
safety / hazard prevention / protective rules
history / past / origins
noise complaints / loudness / disturbed neighbours
maintenance costs / repair bills / upkeep budget
accidents / mishaps / casualties
volunteers / unpaid helpers / charity members
tourism / visitors / holiday trade
insurance claims / compensation / indemnity
court rulings / verdicts / judge decisions
job losses / redundancies / dismissed workers
water use / consumption / irrigation demand
research funding / science money / scholarly sponsors
protests / demonstrations / angry rally
new technology / innovation / modern invention
training / apprenticeship / skills course
ownership / property title / proprietors
early warnings / forecast / advance alerts
""")
PLACES = _phrases("""
in Norway / Norwegian / Oslo
in Chile / Chilean / Santiago
in Kenya / Kenyan / Nairobi
in Japan / Japanese / Tokyo
in Scotland / Scottish / Glasgow
in Canada / Canadian / Ottawa
in Vietnam / Vietnamese / Hanoi
in Portugal / Portuguese / Lisbon
since 1950 / postwar / recent decades
before 1900 / nineteenth century / Victorian
on islands / archipelago / insular
near borders / frontier / customs zone
in small towns / rural / villages
in wartime / battle years / military conflict
""")

# The commonest words of any document, in every language model the first.
FUNCTION_WORDS = (  # noqa: SIM905 -- words read better as text
    "the of and to in a is that for on with as was by at it from be this are or an has "
    "were not but which their since before near he they have been its"
).split()
