"""Addresses of what members are told, below the desk's; and of a member's own calendar."""

from django.urls import path

from loans import notice_views as views

urlpatterns = [
    path("notices/", views.index, name="notices"),
    path("notices/returned/<int:pk>/", views.trust_again, name="notices-trust"),
    path("notices/days/", views.save_days, name="notices-days"),
    path("notices/today/", views.dry_run, name="notices-dry-run"),
    path("notices/log/", views.log, name="notices-log"),
    path("notices/log/<int:pk>/", views.mail, name="notices-mail"),
    path("notices/letters/", views.letters, name="notices-letters"),
    path("notices/letters.pdf", views.letters_pdf, name="notices-letters-pdf"),
    path("notices/texts/<str:part>/<str:language>/", views.text, name="notices-text"),
    path("notices/texts/<str:part>/<str:language>/preview/", views.preview, name="notices-preview"),
    path("notices/texts/<str:part>/<str:language>/restore/", views.restore, name="notices-restore"),
    path("notices/texts/<str:part>/<str:language>/test/", views.test_mail, name="notices-test"),
    path("notices/receipts/<int:pk>/", views.send_receipt, name="notices-receipt"),
    path("me/calendar/", views.my_calendar, name="my-calendar"),
]
