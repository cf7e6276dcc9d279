"""Addresses that stand in letters and calendars: short, and open to whoever holds them."""

from django.urls import path

from loans import mail_views

app_name = "mail"
urlpatterns = [
    path("renew/<str:token>/", mail_views.renew, name="renew"),
    path("letters/<str:token>/", mail_views.stop, name="stop"),
    path("cal/<str:secret>/ical", mail_views.calendar, name="calendar"),
]
