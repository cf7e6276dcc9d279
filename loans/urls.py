"""Addresses of the lending desk and of a member's own loans."""

from django.urls import include, path

from loans import views

app_name = "loans"
urlpatterns = [
    path("", views.desk, name="desk"),
    path("", include("loans.urls_desk")),
    path("", include("loans.urls_holds")),
    path("", include("loans.urls_kept")),
    path("scan/", views.scan, name="scan"),
    path("check-in/<int:pk>/", views.check_in, name="check-in"),
    path("renew/<int:pk>/", views.renew, name="renew"),
    path("undo/<int:pk>/", views.undo, name="undo"),
    path("waive/<int:pk>/", views.waive, name="waive"),
    path("accept/<int:pk>/", views.accept, name="accept"),
    path("renew-all/<int:pk>/", views.renew_all, name="renew-all"),
    path("calendar/", include("loans.urls_calendar")),
    path("me/", views.my_loans, name="my-loans"),
    path("me/renew/<int:pk>/", views.my_renewal, name="my-renewal"),
    path("", include("loans.urls_money")),
    path("", include("loans.urls_policy")),
    path("", include("loans.urls_pieces")),
    path("", include("loans.urls_notices")),
    path("", include("loans.urls_knowing")),
]
