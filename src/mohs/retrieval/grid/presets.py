"""Grids that papers used, as far as they say which components they combined."""

from __future__ import annotations

from mohs.registry import Registry
from mohs.retrieval.grid.spec import TOKENISER, Components
from mohs.retrieval.spelling import parse_list

PRESETS: Registry[Components] = Registry("preset")

# Culpepper et al. 2021 give the numbers of components only, so these nine models are
# our choice: each of another idea, and all of them Terrier's.
PRESETS.add("c21")(
    Components(
        tokenisers=(TOKENISER,),
        stoplists=parse_list("none,smart"),
        stemmers=parse_list("porter,krovetz"),
        models=parse_list("BM25,DFRee,DLH,DPH,DirichletLM,Hiemstra_LM,InL2,PL2,TF_IDF"),
        expansions=parse_list("none,Bo1,KL,RM3"),
    )
)

# Zampieri et al. 2019, section 3: Terrier's models and stemmers, expansion off and on.
PRESETS.add("z19")(
    Components(
        tokenisers=(TOKENISER,),
        stoplists=parse_list("smart"),
        stemmers=parse_list("none,porter,snowball,krovetz,lovins,weak-porter,s"),
        models=parse_list(
            "BB2,BM25,DFIC,DFIZ,DFR_BM25,DFRee,DFReeKLIM,DLH,DLH13,DPH,DirichletLM,"
            "Hiemstra_LM,IFB2,InB2,InL2,In_expB2,In_expC2,Js_KLs,LGD,LemurTF_IDF,PL2,"
            "TF_IDF,XSqrA_M"
        ),
        expansions=parse_list("none,Bo1"),
    )
)
