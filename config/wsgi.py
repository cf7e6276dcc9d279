"""The application that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from search import semantic, warming  # noqa: E402 - models must be there first

semantic.warm()
warming.start()
