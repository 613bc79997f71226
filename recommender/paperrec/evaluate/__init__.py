"""How well the ranking works for one user, measured on his own library."""

from paperrec.evaluate.documents import evaluation_document as evaluation_document
from paperrec.evaluate.evaluation import Evaluation as Evaluation
from paperrec.evaluate.evaluation import evaluate_ranking as evaluate_ranking
from paperrec.evaluate.words import advice as advice
from paperrec.evaluate.words import findings as findings
