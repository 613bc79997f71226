"""Papers -> matrices: the only place where texts and author names become numbers."""

from paperrec.features.authors import author_key as author_key
from paperrec.features.authors import papers_by_author as papers_by_author
from paperrec.features.authors import shared_authors as shared_authors
from paperrec.features.matrices import TextFeatures as TextFeatures
from paperrec.features.matrices import View as View
from paperrec.features.matrices import columns_of as columns_of
from paperrec.features.matrices import text_features as text_features
from paperrec.features.matrices import text_of as text_of
from paperrec.features.matrices import weigh as weigh
from paperrec.features.matrices import within as within
from paperrec.features.spelling import spellings as spellings
